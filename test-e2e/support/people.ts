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

/** An account and its session, registered from the address that `api` speaks from. */
export async function register(api: Api): Promise<Person> {
  const username = `u_${randomBytes(8).toString('hex')}`;
  const email = `${username}@example.com`;
  const password = `pass-${randomBytes(12).toString('hex')}`;
  const reply = await api.post('/auth/register', { email, username, password });
  expect(reply.status, reply.text).toBe(200);
  const { token, user } = reply.json<SessionAnswer>();
  return { email, username, password, token, user, api: api.as(`Bearer ${token}`) };
}

/** An account registered from an address (and an address block) nobody has used: no limit by address is near. */
export function newcomer(api: Api): Promise<Person> {
  return register(api.from(freshAddress()));
}

/** Files of other workers may have asked the same stack: each worker has 4,096 addresses. */
const WORKER = Number(process.env.VITEST_POOL_ID ?? 0);
let addresses = 0;

/** An IPv4 address in a /24 of its own. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${((WORKER & 15) << 4) | ((addresses >> 8) & 15)}.${addresses & 255}.7`;
}

/** Who may own a guild: an account's session, or a bot. */
export interface Caller {
  api: Api;
}

export interface Place<Owner extends Caller = Person> {
  owner: Owner;
  guild: Guild;
  channel: Channel;
}

/** A guild of its own for `owner`, with its first channel. */
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

export interface Hook<Owner extends Caller = Person> extends Place<Owner> {
  webhook: Webhook;
  /** Its path under /api/v1. */
  path: string;
  execute(body: unknown, query?: string): ReturnType<Api['post']>;
  /** Executes with wait=true and gives the message. */
  say(body: unknown): Promise<Message>;
  /** The channel's messages, newest first. */
  messages(): Promise<Message[]>;
}

/** A webhook in a guild and channel of its own, of an owner of its own. */
export async function newHook(api: Api, body: Record<string, unknown> = { name: 'Build' }): Promise<Hook> {
  return hookIn(await foundGuild(await newcomer(api)), api, body);
}

/** A webhook in `place`; its token routes are called through `api`, without a credential. */
export async function hookIn<Owner extends Caller>(
  place: Place<Owner>,
  api: Api,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<Hook<Owner>> {
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
