import { expect } from 'vitest';
import { type Api, type Reply, withGlobalRetry } from '../support/api.ts';
import type { Application, Channel, Invite, Message, Role } from '../support/objects.ts';
import { type Caller, foundGuild, newcomer, type Person, type Place } from '../support/people.ts';

/** A guild into which people can be brought. */
export interface GuildFixture<Owner extends Caller = Person> extends Place<Owner> {
  /** The code of its one invite to its first channel. */
  invite(): Promise<string>;
}

/** A guild of its own, of an owner of its own. */
export async function newGuild(api: Api): Promise<GuildFixture> {
  return guildFor(await newcomer(withGlobalRetry(api)));
}

/** A guild of its own for an owner. */
export async function guildFor<Owner extends Caller>(owner: Owner): Promise<GuildFixture<Owner>> {
  const place = await foundGuild(owner);
  let made: Promise<Invite> | undefined;
  const invite = async () => {
    made ??= expectOk<Invite>(owner.api.post(`/channels/${place.channel.id}/invites`, {}));
    return (await made).code;
  };
  return { ...place, invite };
}

/** A new account that has joined. */
export async function join(api: Api, { invite }: Pick<GuildFixture, 'invite'>): Promise<Person> {
  const person = await newcomer(withGlobalRetry(api));
  await expectOk(person.api.post(`/invites/${await invite()}`));
  return person;
}

/** A bot of an application of its own; it is in no guild. */
export async function newBot(person: Person): Promise<Caller & { id: string }> {
  const made = await expectOk<Application>(person.api.post('/oauth2/applications', { name: 'Helper' }));
  return { id: made.id, api: person.api.as(`Bot ${made.bot.token}`) };
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

export async function giveRole({ owner, guild }: GuildFixture, to: Person, role: Role): Promise<void> {
  await expectNoContent(owner.api.send('PUT', `/guilds/${guild.id}/members/${to.user.id}/roles/${role.id}`));
}

export async function takeRole({ owner, guild }: GuildFixture, from: Person, role: Role): Promise<void> {
  await expectNoContent(
    owner.api.send('DELETE', `/guilds/${guild.id}/members/${from.user.id}/roles/${role.id}`),
  );
}

/** Sets the permissions of everybody in a guild. */
export async function setEveryone({ owner, guild }: GuildFixture, permissions: string): Promise<void> {
  await expectOk(owner.api.send('PATCH', `/guilds/${guild.id}/roles/${guild.id}`, { body: { permissions } }));
}

export function post({ channel }: Pick<GuildFixture, 'channel'>, by: Caller, body: unknown): Promise<Reply> {
  return by.api.post(`/channels/${channel.id}/messages`, typeof body === 'string' ? { content: body } : body);
}

export function say(fixture: Pick<GuildFixture, 'channel'>, by: Caller, body: unknown): Promise<Message> {
  return expectOk<Message>(post(fixture, by, body));
}

/** The body of an answer that is 200. */
export async function expectOk<T>(answer: Promise<Reply>): Promise<T> {
  const reply = await answer;
  expect(reply.status, reply.text).toBe(200);
  return reply.json<T>();
}

/** Holds that an answer is an empty 204. */
export async function expectNoContent(answer: Promise<Reply>): Promise<void> {
  const { status, text } = await answer;
  expect([status, text]).toEqual([204, '']);
}
