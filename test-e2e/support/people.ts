import { randomBytes } from 'node:crypto';
import type { Api } from './api.ts';
import { expectOk } from './expect-status.ts';
import type { Channel, Guild, Invite, Message, SessionAnswer, User, Webhook } from './objects.ts';

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
  const { token, user } = await expectOk<SessionAnswer>(
    api.post('/auth/register', { email, username, password }),
  );
  return { email, username, password, token, user, api: api.as(`Bearer ${token}`) };
}

/** Registers an account from an unused address and address block, far from any limit. */
export function newcomer(api: Api): Promise<Person> {
  return register(api.from(freshAddress()));
}

/** Each test worker has its own 4,096 addresses, since workers may share a stack. */
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

/** A guild with its first channel. */
export interface GuildFixture<Owner extends Caller = Person> {
  owner: Owner;
  guild: Guild;
  channel: Channel;
  /** The code of an invite to the channel, created on the first call. */
  invite(): Promise<string>;
}

/** Creates a guild for `owner`. */
export async function createGuild<Owner extends Caller>(
  owner: Owner,
  name = 'Workshop',
): Promise<GuildFixture<Owner>> {
  const guild = await expectOk<Guild>(owner.api.post('/guilds', { name }));
  const channels = await expectOk<Channel[]>(owner.api.get(`/guilds/${guild.id}/channels`));
  const channel = channels.find((each) => each.name === 'general');
  if (channel === undefined) throw new Error('a new guild has no channel "general"');
  let created: Promise<Invite> | undefined;
  const invite = async () => {
    created ??= expectOk<Invite>(owner.api.post(`/channels/${channel.id}/invites`, {}));
    return (await created).code;
  };
  return { owner, guild, channel, invite };
}

export interface WebhookFixture<Owner extends Caller = Person> extends GuildFixture<Owner> {
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
  return createWebhook(await createGuild(await newcomer(api)), api, body);
}

/** Creates a webhook in a guild's channel. Its token routes are called through `api`. */
export async function createWebhook<Owner extends Caller>(
  fixture: GuildFixture<Owner>,
  api: Api,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<WebhookFixture<Owner>> {
  const { owner, channel } = fixture;
  const webhook = await expectOk<Webhook>(owner.api.post(`/channels/${channel.id}/webhooks`, body));
  const path = `/webhooks/${webhook.id}/${webhook.token}`;
  const execute = (sent: unknown, query = '') => api.post(`${path}${query}`, sent);
  return {
    ...fixture,
    webhook,
    path,
    execute,
    say: (sent) => expectOk<Message>(execute(sent, '?wait=true')),
    messages: () => expectOk<Message[]>(owner.api.get(`/channels/${channel.id}/messages?limit=100`)),
  };
}
