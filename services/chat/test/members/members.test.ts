import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AddedGuild, addAccount, addGuild, addMember, addRole, newId } from '../support/guilds.ts';
import { entriesOf, eventsOf, memberCounts, typesWritten } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
let home: AddedGuild;
beforeAll(async () => {
  fixture = await startChat('chat_members');
});
afterAll(() => fixture.close());

/** Each test has its own guild. */
async function freshGuild(): Promise<AddedGuild> {
  home = await addGuild(fixture);
  return home;
}

/** A member with a role at this position. */
async function addMemberAt(position: number, permissions = 0n): Promise<{ id: string; role: string }> {
  const id = await addMember(fixture, home.guild_id);
  const role = await addRole(fixture, home.guild_id, permissions, { holder: id });
  await fixture.sql.query('UPDATE roles SET position = $2 WHERE id = $1', [role, position]);
  return { id, role };
}

async function addRoleAt(position: number, permissions = 0n): Promise<string> {
  const role = await addRole(fixture, home.guild_id, permissions);
  await fixture.sql.query('UPDATE roles SET position = $2 WHERE id = $1', [role, position]);
  return role;
}

async function memberOf(user_id: string) {
  const { member } = await fixture.chat.getMember({ guild_id: home.guild_id, user_id }, as(home.owner));
  if (member === null) throw new Error('no member was returned');
  return member;
}

const give = (by: string, user_id: string, role_id: string) =>
  fixture.chat.addMemberRole({ guild_id: home.guild_id, user_id, role_id }, as(by));
const take = (by: string, user_id: string, role_id: string) =>
  fixture.chat.removeMemberRole({ guild_id: home.guild_id, user_id, role_id }, as(by));
const kick = (by: string, user_id: string, reason?: string) =>
  fixture.chat.removeMember({ guild_id: home.guild_id, user_id, ...(reason && { reason }) }, as(by));
const setRoles = (by: string, user_id: string, items: string[]) =>
  fixture.chat.updateMember({ guild_id: home.guild_id, user_id, nick: null, roles: { items } }, as(by));
const rename = (by: string, user_id: string, value: string | null) =>
  fixture.chat.updateMember({ guild_id: home.guild_id, user_id, nick: { value } }, as(by));

describe('reading', () => {
  test('members are listed by ID, in pages, with one call of auth', async () => {
    const { guild_id, owner } = await freshGuild();
    const ids = [owner];
    for (let n = 0; n < 4; n++) ids.push(await addMember(fixture, guild_id));
    const list = async (after?: string, limit?: number) => {
      const request = { guild_id, ...(after && { after }), ...(limit && { limit }) };
      const { members } = await fixture.chat.listMembers(request, as(owner));
      return members.map(({ user }) => user?.id);
    };
    const lookups = fixture.lookups.length;
    expect(await list()).toEqual(ids);
    expect(fixture.lookups).toHaveLength(lookups + 1);
    expect(await list(undefined, 2)).toEqual(ids.slice(0, 2));
    expect(await list(ids[1], 2)).toEqual(ids.slice(2, 4));
    expect(await list(ids[4])).toEqual([]);
  });

  test.each([0, -1, 1001])('a limit of %i is refused', async (limit) => {
    const { guild_id, owner } = await freshGuild();
    const listing = fixture.chat.listMembers({ guild_id, limit }, as(owner));
    expect(await violationsOf(listing)).toEqual(['limit VALUE_MUST_BE_INTEGER_IN_RANGE']);
  });

  test('a member has its roles without @everyone, and no profile at first', async () => {
    await freshGuild();
    const { id, role } = await addMemberAt(1);
    expect(await memberOf(id)).toEqual({
      user: fixture.accounts.get(id),
      nick: null,
      avatar: null,
      banner: null,
      bio: null,
      pronouns: null,
      accent_color: null,
      roles: [role],
      joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('a deleted account is shown as such', async () => {
    const { guild_id, owner } = await freshGuild();
    const id = await addMember(fixture, guild_id);
    await rename(owner, id, 'Nick');
    fixture.accounts.delete(id);
    const shown = await memberOf(id);
    expect(shown).toMatchObject({ user: { id, username: 'Deleted User' }, nick: null });
    const { members } = await fixture.chat.listMembers({ guild_id }, as(owner));
    expect(members.at(-1)?.user).toMatchObject({ id, username: 'Deleted User' });
  });

  test('requires membership; an account that is no member is unknown', async () => {
    const { guild_id, owner } = await freshGuild();
    const stranger = addAccount(fixture);
    const look = (by: string, user_id: string) => fixture.chat.getMember({ guild_id, user_id }, as(by));
    expect(await reasonOf(look(stranger, owner))).toBe('MISSING_ACCESS');
    expect(await reasonOf(fixture.chat.listMembers({ guild_id }, as(stranger)))).toBe('MISSING_ACCESS');
    expect(await reasonOf(fixture.chat.listMembers({ guild_id: newId() }, as(owner)))).toBe('NOT_FOUND');
    expect(await reasonOf(look(owner, stranger))).toBe('UNKNOWN_MEMBER');
    expect(await reasonOf(look(owner, 'x'))).toBe('UNKNOWN_MEMBER');
  });
});

describe('kicking', () => {
  test('ends the membership with its roles, with events for both and an audit log entry', async () => {
    const { guild_id, owner } = await freshGuild();
    const { id } = await addMemberAt(1);
    await kick(owner, id, 'spam');
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 1, actual: 1 });
    const roles = await fixture.sql.query('SELECT FROM member_roles WHERE guild_id = $1', [guild_id]);
    expect(roles.rowCount).toBe(0);
    expect((await eventsOf(fixture, guild_id)).slice(-2)).toEqual([
      {
        type: 'GUILD_MEMBER_REMOVE',
        account_ids: null,
        channel_id: null,
        payload: { guild_id, account_id: id, member_count: 1 },
      },
      { type: 'GUILD_DELETE', account_ids: [id], channel_id: null, payload: { guild_id } },
    ]);
    expect(await entriesOf(fixture, guild_id)).toEqual([
      { action_type: 20, user_id: owner, target_id: id, reason: 'spam', options: null, changes: [] },
    ]);
    expect(await reasonOf(kick(owner, id))).toBe('UNKNOWN_MEMBER');
    expect(await reasonOf(fixture.chat.getGuild({ guild_id }, as(id)))).toBe('MISSING_ACCESS');
  });

  test('requires KICK_MEMBERS and a higher role than the member’s', async () => {
    const { owner } = await freshGuild();
    const plain = await addMemberAt(9);
    const kicker = await addMemberAt(5, Permission.KICK_MEMBERS);
    const equal = await addMemberAt(5);
    const below = await addMemberAt(4);
    expect(await reasonOf(kick(plain.id, below.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(plain.id, newId()))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(kicker.id, plain.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(kicker.id, equal.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(kicker.id, owner))).toBe('MISSING_PERMISSIONS');
    await kick(kicker.id, below.id);
  });

  test('is refused for oneself, and for the owner even by an administrator', async () => {
    const { owner } = await freshGuild();
    const admin = await addMemberAt(9, Permission.ADMINISTRATOR);
    expect(await reasonOf(kick(owner, owner))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(admin.id, admin.id))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(kick(admin.id, owner))).toBe('MISSING_PERMISSIONS');
  });
});

describe('adding and removing a role', () => {
  test('has an event for the guild, and an audit log entry with ID and name', async () => {
    const { guild_id, owner } = await freshGuild();
    const id = await addMember(fixture, guild_id);
    const role = await addRoleAt(1);
    await give(owner, id, role);
    expect((await memberOf(id)).roles).toEqual([role]);
    expect((await eventsOf(fixture, guild_id)).at(-1)).toMatchObject({
      type: 'GUILD_MEMBER_UPDATE',
      payload: { guild_id, member: { account_id: id, role_ids: [role] } },
    });
    await take(owner, id, role);
    expect((await memberOf(id)).roles).toEqual([]);
    expect((await eventsOf(fixture, guild_id)).at(-1)).toMatchObject({
      type: 'GUILD_MEMBER_UPDATE',
      payload: { guild_id, member: { account_id: id, role_ids: [] } },
    });
    const entry = { action_type: 25, user_id: owner, target_id: id, reason: null, options: null };
    expect(await entriesOf(fixture, guild_id)).toEqual([
      { ...entry, changes: [{ key: '$add', new_value: [{ id: role, name: 'role' }] }] },
      { ...entry, changes: [{ key: '$remove', new_value: [{ id: role, name: 'role' }] }] },
    ]);
  });

  test('that makes no difference changes nothing and has no event', async () => {
    const { guild_id, owner } = await freshGuild();
    const { id, role } = await addMemberAt(1);
    const other = await addRoleAt(1);
    const twice = async () => {
      await give(owner, id, role);
      await take(owner, id, other);
      await setRoles(owner, id, [role]);
    };
    expect(await typesWritten(fixture, guild_id, twice)).toEqual([]);
    expect(await entriesOf(fixture, guild_id)).toEqual([]);
  });

  test.each([
    ['give', give],
    ['take', take],
  ])('%s: requires MANAGE_ROLES, a role below the actor’s, and a lower member', async (_, change) => {
    const { guild_id, owner } = await freshGuild();
    const plain = await addMemberAt(9);
    const manager = await addMemberAt(5, Permission.MANAGE_ROLES);
    const member = await addMember(fixture, guild_id);
    const equal = await addMemberAt(5);
    const low = await addRoleAt(4);
    const high = await addRoleAt(5);
    expect(await reasonOf(change(plain.id, member, low))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(change(manager.id, member, high))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(change(manager.id, equal.id, low))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(change(manager.id, owner, low))).toBe('MISSING_PERMISSIONS');
    await change(manager.id, member, low);
    // For oneself: a role below the highest one, although no member ranks above itself.
    await change(manager.id, manager.id, low);
    expect(await reasonOf(change(manager.id, manager.id, manager.role))).toBe('MISSING_PERMISSIONS');
    await change(owner, owner, high);
  });

  test('a role with permissions that the actor lacks can be removed, but not added', async () => {
    const { guild_id } = await freshGuild();
    const manager = await addMemberAt(5, Permission.MANAGE_ROLES);
    const admin = await addMemberAt(5, Permission.ADMINISTRATOR);
    const member = await addMember(fixture, guild_id);
    const role = await addRoleAt(1, Permission.BAN_MEMBERS);
    expect(await reasonOf(give(manager.id, member, role))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(setRoles(manager.id, member, [role]))).toBe('MISSING_PERMISSIONS');
    await give(admin.id, member, role);
    await take(manager.id, member, role);
  });

  test('unknown and foreign members and roles are 404; @everyone is 400', async () => {
    const other = await addGuild(fixture);
    const foreign = await addRole(fixture, other.guild_id, 0n);
    const { guild_id, owner } = await freshGuild();
    const member = await addMember(fixture, guild_id);
    const role = await addRoleAt(1);
    expect(await reasonOf(give(owner, other.owner, role))).toBe('UNKNOWN_MEMBER');
    expect(await reasonOf(give(owner, member, foreign))).toBe('UNKNOWN_ROLE');
    for (const id of [newId(), 'x', '']) {
      expect(await reasonOf(take(owner, member, id))).toBe('UNKNOWN_ROLE');
    }
    expect(await reasonOf(setRoles(owner, member, [role, foreign]))).toBe('UNKNOWN_ROLE');
    expect(await reasonOf(setRoles(owner, other.owner, []))).toBe('UNKNOWN_MEMBER');
    for (const change of [give, take])
      expect(await reasonOf(change(owner, member, guild_id))).toBe('BAD_REQUEST');
    expect((await memberOf(member)).roles).toEqual([]);
  });

  test('a list of roles replaces all roles of the member; an empty list removes them', async () => {
    const { guild_id, owner } = await freshGuild();
    const { id, role } = await addMemberAt(1);
    const [kept, added] = [await addRoleAt(2), await addRoleAt(3)];
    await give(owner, id, kept);
    const { member } = await setRoles(owner, id, [kept, added, added]);
    expect(member?.roles).toEqual([kept, added]);
    expect((await entriesOf(fixture, guild_id)).at(-1)).toMatchObject({
      action_type: 25,
      changes: [
        { key: '$add', new_value: [{ id: added }] },
        { key: '$remove', new_value: [{ id: role }] },
      ],
    });
    const { member: bare } = await setRoles(owner, id, []);
    expect(bare?.roles).toEqual([]);
  });

  test('a list may include a role that the actor could neither add nor remove', async () => {
    const { guild_id, owner } = await freshGuild();
    const manager = await addMemberAt(5, Permission.MANAGE_ROLES);
    const [low, high] = [await addRoleAt(1), await addRoleAt(9)];
    await give(owner, manager.id, high);
    const other = await addRoleAt(9);
    expect(await reasonOf(setRoles(manager.id, manager.id, [low, other]))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(setRoles(manager.id, manager.id, [low]))).toBe('MISSING_PERMISSIONS');
    const all = [manager.role, high, low];
    const { member } = await setRoles(manager.id, manager.id, all);
    expect(new Set(member?.roles)).toEqual(new Set(all));
    expect((await entriesOf(fixture, guild_id)).at(-1)).toMatchObject({ target_id: manager.id });
  });

  test('a list of more than 250 roles is refused', async () => {
    const { owner } = await freshGuild();
    const list = setRoles(owner, owner, Array.from({ length: 251 }, newId));
    expect(await violationsOf(list)).toEqual(['roles INVALID_FORMAT']);
  });
});

describe('renaming another member', () => {
  test('has an event for the guild and an audit log entry', async () => {
    const { guild_id, owner } = await freshGuild();
    const id = await addMember(fixture, guild_id);
    const { member } = await rename(owner, id, '  Nick  ');
    expect(member).toMatchObject({ nick: 'Nick', user: { id } });
    await rename(owner, id, 'Nick');
    await rename(owner, id, null);
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types).toEqual(['GUILD_CREATE', 'GUILD_MEMBER_UPDATE', 'GUILD_MEMBER_UPDATE']);
    const entry = { action_type: 24, user_id: owner, target_id: id, reason: null, options: null };
    expect(await entriesOf(fixture, guild_id)).toEqual([
      { ...entry, changes: [{ key: 'nick', new_value: 'Nick' }] },
      { ...entry, changes: [{ key: 'nick', old_value: 'Nick' }] },
    ]);
  });

  test('requires MANAGE_NICKNAMES and a lower member', async () => {
    const { guild_id, owner } = await freshGuild();
    const member = await addMember(fixture, guild_id);
    const plain = await addMemberAt(9);
    const manager = await addMemberAt(5, Permission.MANAGE_NICKNAMES);
    expect(await reasonOf(rename(plain.id, member, 'x'))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(rename(manager.id, plain.id, 'x'))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(rename(manager.id, owner, 'x'))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(rename(manager.id, newId(), 'x'))).toBe('UNKNOWN_MEMBER');
    await rename(manager.id, member, 'x');
    await rename(manager.id, manager.id, 'myself');
  });

  test('changes both name and roles, or neither', async () => {
    const { guild_id } = await freshGuild();
    const manager = await addMemberAt(5, Permission.MANAGE_NICKNAMES | Permission.MANAGE_ROLES);
    const member = await addMember(fixture, guild_id);
    const [low, high] = [await addRoleAt(1), await addRoleAt(9)];
    const change = (role: string) =>
      fixture.chat.updateMember(
        { guild_id, user_id: member, nick: { value: 'Both' }, roles: { items: [role] } },
        as(manager.id),
      );
    expect(await reasonOf(change(high))).toBe('MISSING_PERMISSIONS');
    expect(await memberOf(member)).toMatchObject({ nick: null, roles: [] });
    const written = await typesWritten(fixture, guild_id, () => change(low));
    expect(written).toEqual(['GUILD_MEMBER_UPDATE']);
    expect((await entriesOf(fixture, guild_id)).map(({ action_type }) => action_type)).toEqual([24, 25]);
  });

  test.each(['', '   ', 'x'.repeat(33), '👍'.repeat(33)])('refuses %o', async (nick) => {
    const { owner } = await freshGuild();
    expect(await violationsOf(rename(owner, owner, nick))).toEqual(['nick STRING_LENGTH_INVALID']);
  });

  test('counts the 32 characters of a nick as code points', async () => {
    const { owner } = await freshGuild();
    const { member } = await rename(owner, owner, '👍'.repeat(32));
    expect(member?.nick).toBe('👍'.repeat(32));
  });
});
