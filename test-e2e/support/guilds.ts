import { type Api, type Reply, withGlobalRetry } from './api.ts';
import { expectNoContent, expectOk } from './expect-status.ts';
import type { Channel, Message, Role } from './objects.ts';
import { type Caller, createGuild, type GuildFixture, newcomer, type Person } from './people.ts';

/** Creates a guild for a new owner. */
export async function newGuild(api: Api): Promise<GuildFixture> {
  return createGuild(await newcomer(withGlobalRetry(api)));
}

/** Registers an account that joins the guild. */
export async function join(api: Api, { invite }: Pick<GuildFixture, 'invite'>): Promise<Person> {
  const person = await newcomer(withGlobalRetry(api));
  await expectOk(person.api.post(`/invites/${await invite()}`));
  return person;
}

export function createRole({ owner, guild }: GuildFixture, role: Partial<Role>): Promise<Role> {
  return expectOk<Role>(owner.api.post(`/guilds/${guild.id}/roles`, { name: 'role', ...role }));
}

export function createChannel({ owner, guild }: GuildFixture, channel: Partial<Channel>): Promise<Channel> {
  return expectOk<Channel>(
    owner.api.post(`/guilds/${guild.id}/channels`, { name: 'channel', type: 0, ...channel }),
  );
}

export function patchChannel({ owner }: GuildFixture<Caller>, id: string, change: object): Promise<Channel> {
  return expectOk<Channel>(owner.api.send('PATCH', `/channels/${id}`, { body: change }));
}

export async function giveRole(
  { owner, guild }: GuildFixture,
  to: Person,
  role: Pick<Role, 'id'>,
): Promise<void> {
  await expectNoContent(owner.api.send('PUT', `/guilds/${guild.id}/members/${to.user.id}/roles/${role.id}`));
}

export async function takeRole(
  { owner, guild }: GuildFixture,
  from: Person,
  role: Pick<Role, 'id'>,
): Promise<void> {
  await expectNoContent(
    owner.api.send('DELETE', `/guilds/${guild.id}/members/${from.user.id}/roles/${role.id}`),
  );
}

/** Sets the permissions of the role @everyone. */
export async function setEveryone({ owner, guild }: GuildFixture, permissions: string): Promise<void> {
  await expectOk(owner.api.send('PATCH', `/guilds/${guild.id}/roles/${guild.id}`, { body: { permissions } }));
}

/** Any channel, by its ID. */
interface ChannelFixture {
  readonly channel: Pick<Channel, 'id'>;
}

export function post({ channel }: ChannelFixture, by: Caller, body: unknown): Promise<Reply> {
  return by.api.post(`/channels/${channel.id}/messages`, typeof body === 'string' ? { content: body } : body);
}

/** Posts a message, and expects 200. */
export function say(fixture: ChannelFixture, by: Caller, body: unknown): Promise<Message> {
  return expectOk<Message>(post(fixture, by, body));
}
