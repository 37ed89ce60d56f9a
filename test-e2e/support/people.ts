import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Api } from './api.ts';
import type { Channel, Guild, Message, SessionAnswer, User, Webhook } from './objects.ts';

export interface Person {
  email: string;
  username: string;
  password: string;
  token: string;
  user: User;
  api: Api;
}

/** Registers an account from the address of `api`. */
export async function register(api: Api): Promise<Person> {
  const username = `u_${randomBytes(8).toString('hex')}`;
  const email = `${username}@example.com`;
  const password = `pass-${randomBytes(12).toString('hex')}`;
  const reply = await api.post('/auth/register', { email, username, password });
  expect(reply.status, reply.text).toBe(200);
  const { token, user } = reply.json<SessionAnswer>();
  return { email, username, password, token, user, api: api.as(`Bearer ${token}`) };
}

/** Registers an account from an unused address and address block, far from any limit. */
export function newcomer(api: Api): Promise<Person> {
  return register(api.from(freshAddress()));
}

/** Each test worker has 4,096 addresses of its own, since workers may share a stack. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0);
let addresses = 0;

/** An unused IPv4 address in an unused /24. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${((WORKER & 15) << 4) | ((addresses >> 8) & 15)}.${addresses & 255}.7`;
}

/** An account or bot, by its API client. */
export interface Caller {
  api: Api;
}

export interface Place<Owner extends Caller = Person> {
  owner: Owner;
  guild: Guild;
  channel: Channel;
}

/** Creates a guild for `owner`. Returns it with its first channel. */
export async function foundGuild<Owner extends Caller>(
  owner: Owner,
  name = 'Workshop',
): Promise<Place<Owner>> {
  const created = await owner.api.post('/guilds', { name });
  expect(created.status, created.text).toBe(200);
  const guild = created.json<Guild>();
  const channels = (await owner.api.get(`/guilds/${guild.id}/channels`)).json<Channel[]>();
  const channel = channels.find((each) => each.name === 'general');
  if (channel === undefined) throw new Error('a new guild has no channel "general"');
  return { owner, guild, channel };
}

export interface WebhookFixture<Owner extends Caller = Person> extends Place<Owner> {
  webhook: Webhook;
  /** Path of its token routes, under /api/v1. */
  path: string;
  execute(body: unknown, query?: string): ReturnType<Api['post']>;
  /** Executes with wait=true. Returns the message. */
  say(body: unknown): Promise<Message>;
  /** The channel's messages, newest first. */
  messages(): Promise<Message[]>;
}

/** Creates a webhook in a new guild of a new owner. */
export async function newWebhook(
  api: Api,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<WebhookFixture> {
  return createWebhook(await foundGuild(await newcomer(api)), api, body);
}

/** Creates a webhook in a guild's channel. Its token routes are called through `api`. */
export async function createWebhook<Owner extends Caller>(
  place: Place<Owner>,
  api: Api,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<WebhookFixture<Owner>> {
  const { owner, channel } = place;
  const created = await owner.api.post(`/channels/${channel.id}/webhooks`, body);
  expect(created.status, created.text).toBe(200);
  const webhook = created.json<Webhook>();
  const path = `/webhooks/${webhook.id}/${webhook.token}`;
  const execute = (sent: unknown, query = '') => api.post(`${path}${query}`, sent);
  return {
    ...place,
    webhook,
    path,
    execute,
    say: async (sent) => {
      const reply = await execute(sent, '?wait=true');
      expect(reply.status, reply.text).toBe(200);
      return reply.json<Message>();
    },
    messages: async () =>
      (await owner.api.get(`/channels/${channel.id}/messages?limit=100`)).json<Message[]>(),
  };
}
