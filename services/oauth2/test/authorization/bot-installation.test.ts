import type { Channel, Guild } from '@gatehouse/proto/chat';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Oauth2WithChat, startOauth2WithChat } from '../oauth2.ts';
import { IN_TIME, newPerson, settings } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, outcomeOf, REDIRECT_URI } from '../tokens.ts';

const MANAGE_GUILD = '32';
const KICK_MEMBERS = '2';
const UNKNOWN_ID = '7';

let fixture: Oauth2WithChat;
/** Its user owns the guilds and opens the group DMs. */
let client: ClientAndPerson;
let person: Caller;
beforeAll(async () => {
  fixture = await startOauth2WithChat('oauth2_bot_installation');
});
// A bot of its own for each test.
beforeEach(async () => {
  client = await newClient(fixture);
  ({ person } = client);
});
afterAll(() => fixture.close());

const by = (caller: Caller) => ({ ...IN_TIME, caller });

async function consent(
  changes: Partial<GrantConsentRequest>,
  caller = person,
  oauth2 = fixture.oauth2,
): Promise<string> {
  const { client_id } = client;
  const request = { client_id, scope: 'bot identify', redirect_uri: REDIRECT_URI, ...changes };
  return (await oauth2.grantConsent(request, by(caller))).redirect_to;
}

async function newGuild(): Promise<Guild> {
  const { guild } = await fixture.chat.createGuild({ name: 'Guild' }, by(person));
  if (guild === null) throw new Error('no guild was created');
  return guild;
}

/** A member of the guild with these permissions in addition to those of @everyone. */
async function newMember(guild_id: string, permissions: string): Promise<Caller> {
  const member = await newPerson(fixture.auth);
  const { channels } = await fixture.chat.listGuildChannels({ guild_id }, by(person));
  const { invite } = await fixture.chat.createInvite({ channel_id: channels[0]?.id ?? '' }, by(person));
  await fixture.chat.acceptInvite({ code: invite?.code ?? '' }, by(member));
  const { role } = await fixture.chat.createRole({ guild_id, permissions }, by(person));
  const user_id = member.account_id;
  await fixture.chat.addMemberRole({ guild_id, user_id, role_id: role?.id ?? '' }, by(person));
  return member;
}

/** A group DM of the user with this many others, or a DM with one. */
async function newPrivateChannel(others: number): Promise<Channel> {
  const people = await Promise.all(Array.from({ length: others }, () => newPerson(fixture.auth)));
  const recipients = people.map(({ account_id }) => account_id);
  const { channel } = await fixture.chat.openPrivateChannel({ recipients }, by(person));
  if (channel === null) throw new Error('no channel was opened');
  return channel;
}

/** Everything that an installation could leave in a guild. */
async function traces(guild_id: string): Promise<unknown> {
  return {
    members: (await fixture.chat.listMembers({ guild_id, limit: 1_000 }, by(person))).members,
    roles: (await fixture.chat.listRoles({ guild_id }, by(person))).roles,
    audit: (await fixture.chat.listAuditLog({ guild_id }, by(person))).audit_log_entries,
  };
}

async function codes(): Promise<number> {
  const { rows } = await fixture.db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM authorization_codes WHERE application_id = $1',
    [client.client_id],
  );
  return rows[0]?.count ?? Number.NaN;
}

/** Expects this error, and neither a code nor a trace in the guild. */
async function expectFailure(
  guild_id: string,
  changes: Partial<GrantConsentRequest>,
  error: string,
  caller = person,
): Promise<void> {
  const before = await traces(guild_id);
  expect(await outcomeOf(consent({ guild_id, ...changes }, caller))).toBe(error);
  expect(await traces(guild_id)).toEqual(before);
  expect(await codes()).toBe(0);
}

describe('into a guild', () => {
  it('the bot gets a role with its permissions, and the code can be exchanged', async () => {
    const { id: guild_id } = await newGuild();
    const undefinedBits = 2n ** 62n + 2n ** 200n;
    const permissions = String(BigInt(KICK_MEMBERS) + undefinedBits);
    const redirect_to = await consent({ guild_id, permissions, reason: 'why' });
    const user_id = client.client_id;
    const { member } = await fixture.chat.getMember({ guild_id, user_id }, by(person));
    const { roles } = await fixture.chat.listRoles({ guild_id }, by(person));
    const own = roles.find(({ id }) => id === member?.roles[0]);
    expect(member?.roles).toHaveLength(1);
    expect(own).toMatchObject({
      name: 'Application',
      color: 0x99aab5,
      hoist: false,
      mentionable: false,
      permissions: KICK_MEMBERS,
    });
    const { audit_log_entries } = await fixture.chat.listAuditLog({ guild_id, limit: 3 }, by(person));
    const all = { user_id: person.account_id, reason: 'why' };
    expect(audit_log_entries).toMatchObject([
      { ...all, action_type: 25, target_id: user_id },
      { ...all, action_type: 30, target_id: own?.id },
      { ...all, action_type: 28, target_id: user_id },
    ]);
    const code = new URL(redirect_to).searchParams.get('code') ?? '';
    expect((await exchange(fixture.oauth2, client, code)).scope).toBe('bot identify');
  });

  it('without permissions it gets no role, also for the bot alone', async () => {
    const { id: guild_id } = await newGuild();
    await consent({ guild_id, scope: 'bot', redirect_uri: undefined });
    const { member } = await fixture.chat.getMember({ guild_id, user_id: client.client_id }, by(person));
    expect(member?.roles).toEqual([]);
  });

  it('members with Manage Guild can give their own permissions', async () => {
    const { id: guild_id } = await newGuild();
    const manager = await newMember(guild_id, MANAGE_GUILD);
    await expectFailure(guild_id, { permissions: KICK_MEMBERS }, 'MISSING_PERMISSIONS', manager);
    expect(await outcomeOf(consent({ guild_id, permissions: MANAGE_GUILD }, manager))).toBe('ok');
  });

  it('members without the permission and non-members cannot', async () => {
    const { id: guild_id } = await newGuild();
    const member = await newMember(guild_id, KICK_MEMBERS);
    await expectFailure(guild_id, {}, 'MISSING_PERMISSIONS', member);
    await expectFailure(guild_id, {}, 'MISSING_ACCESS', await newPerson(fixture.auth));
  });

  it('that does not exist is NOT_FOUND', async () => {
    expect(await outcomeOf(consent({ guild_id: UNKNOWN_ID }))).toBe('NOT_FOUND');
    expect(await codes()).toBe(0);
  });

  it('a bot that is already there is BOT_ALREADY_IN_GUILD', async () => {
    const { id: guild_id } = await newGuild();
    const redirect_to = await consent({ guild_id });
    const before = await traces(guild_id);
    expect(await outcomeOf(consent({ guild_id, permissions: KICK_MEMBERS }))).toBe('BOT_ALREADY_IN_GUILD');
    expect(await traces(guild_id)).toEqual(before);
    // The remaining code is that of the first request.
    expect(await codes()).toBe(1);
    const code = new URL(redirect_to).searchParams.get('code') ?? '';
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('ok');
  });

  it('of many concurrent ones at two replicas one installs it, and one code is left', async () => {
    const { id: guild_id } = await newGuild();
    const replicas = [fixture.oauth2, await fixture.replica()];
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        outcomeOf(consent({ guild_id, permissions: KICK_MEMBERS }, person, replicas[n % 2])),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(15).fill('BOT_ALREADY_IN_GUILD'), 'ok']);
    expect(await codes()).toBe(1);
    const { roles } = await fixture.chat.listRoles({ guild_id }, by(person));
    expect(roles.filter(({ name }) => name === 'Application')).toHaveLength(1);
  });

  it('a private bot can be installed by its owner only', async () => {
    const request = settings({ redirect_uris: [REDIRECT_URI], bot_public: false });
    const { application } = await fixture.oauth2.createApplication(request, by(person));
    const client_id = application?.id;
    const { id: guild_id } = await newGuild();
    const manager = await newMember(guild_id, MANAGE_GUILD);
    await expectFailure(guild_id, { client_id }, 'FORBIDDEN', manager);
    expect(await outcomeOf(consent({ client_id, guild_id }))).toBe('ok');
  });

  it('nothing is installed without the scope bot, nor after a failed check', async () => {
    const { id: guild_id } = await newGuild();
    const before = await traces(guild_id);
    await expectFailure(guild_id, { redirect_uri: undefined }, 'MISSING_REDIRECT_URI');
    await expectFailure(guild_id, { code_challenge_method: 'S256' }, 'INVALID_REQUEST');
    expect(await outcomeOf(consent({ guild_id, scope: 'identify' }))).toBe('ok');
    expect(await traces(guild_id)).toEqual(before);
  });

  it('prompt=none installs nothing', async () => {
    const { id: guild_id } = await newGuild();
    const before = await traces(guild_id);
    const query = new URLSearchParams({
      client_id: client.client_id,
      scope: 'bot',
      prompt: 'none',
      guild_id,
    });
    const { location } = await fixture.oauth2.authorize({ query: query.toString() }, by(person));
    expect(location).toContain('code=');
    expect(await traces(guild_id)).toEqual(before);
  });
});

describe('into a group DM', () => {
  const recipients = async (channel_id: string) =>
    (await fixture.chat.getChannel({ channel_id }, by(person))).channel?.recipients.map(({ id }) => id);

  it('the bot joins as a recipient, with a message; a second time nothing changes', async () => {
    const { id: channel_id } = await newPrivateChannel(2);
    const messages = async () => (await fixture.chat.listMessages({ channel_id }, by(person))).messages;
    expect(await outcomeOf(consent({ channel_id }))).toBe('ok');
    expect(await recipients(channel_id)).toContain(client.client_id);
    expect(await messages()).toMatchObject([{ type: 1, author: { id: person.account_id } }]);
    expect(await outcomeOf(consent({ channel_id }))).toBe('ok');
    expect(await messages()).toHaveLength(1);
    expect(await codes()).toBe(2);
  });

  it('of others is MISSING_ACCESS', async () => {
    const { id: channel_id } = await newPrivateChannel(2);
    const before = await recipients(channel_id);
    const outsider = await newPerson(fixture.auth);
    expect(await outcomeOf(consent({ channel_id }, outsider))).toBe('MISSING_ACCESS');
    expect(await recipients(channel_id)).toEqual(before);
    expect(await codes()).toBe(0);
  });

  it('that is full is BAD_REQUEST', async () => {
    const { id: channel_id } = await newPrivateChannel(9);
    const before = await recipients(channel_id);
    expect(await outcomeOf(consent({ channel_id }))).toBe('BAD_REQUEST');
    expect(await recipients(channel_id)).toEqual(before);
    expect(await codes()).toBe(0);
  });

  it('that is a DM, or a channel of a guild, is BAD_REQUEST, and an unknown one NOT_FOUND', async () => {
    const { channels } = await fixture.chat.listGuildChannels(
      { guild_id: (await newGuild()).id },
      by(person),
    );
    for (const channel_id of [(await newPrivateChannel(1)).id, channels[0]?.id])
      expect(await outcomeOf(consent({ channel_id }))).toBe('BAD_REQUEST');
    expect(await outcomeOf(consent({ channel_id: UNKNOWN_ID }))).toBe('NOT_FOUND');
    expect(await codes()).toBe(0);
  });
});

describe('without the bot at auth, or without chat', () => {
  it('an application whose bot is unknown to auth is NOT_A_BOT_APPLICATION', async () => {
    const { id: guild_id } = await newGuild();
    const { id: channel_id } = await newPrivateChannel(2);
    await fixture.auth.deleteBot(
      { application_id: client.client_id, owner_id: client.owner.account_id },
      IN_TIME,
    );
    await expectFailure(guild_id, { permissions: KICK_MEMBERS }, 'NOT_A_BOT_APPLICATION');
    expect(await outcomeOf(consent({ channel_id }))).toBe('NOT_A_BOT_APPLICATION');
    expect(await codes()).toBe(0);
    expect(await outcomeOf(consent({ scope: 'identify' }))).toBe('ok');
  });

  // The last test: chat is not started again.
  it('no code is left while chat is unavailable', async () => {
    const { id: guild_id } = await newGuild();
    await fixture.killChat();
    expect(await outcomeOf(consent({ guild_id }))).toBe('SERVICE_UNAVAILABLE');
    expect(await codes()).toBe(0);
    expect(await outcomeOf(consent({ scope: 'bot' }))).toBe('ok');
  });
});
