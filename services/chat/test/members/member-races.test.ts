import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addRole } from '../support/guilds.ts';
import { eventsOf, memberCounts } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatClient, type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_member_races', 2);
});
afterAll(() => fixture.close());

/** Concurrently, at alternating replicas. */
async function atOnce(calls: readonly ((chat: ChatClient) => Promise<unknown>)[]): Promise<boolean[]> {
  const results = await Promise.allSettled(
    calls.map((call, n) => call(fixture.replicas[n % 2] ?? fixture.chat)),
  );
  return results.map(({ status }) => status === 'fulfilled');
}

const repeat = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

describe('concurrent changes of members', () => {
  test('a member who is kicked sixteen times leaves once', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const user_id = await addMember(fixture, guild_id);
    const done = await atOnce(
      repeat(16, () => (chat: ChatClient) => chat.removeMember({ guild_id, user_id }, as(owner))),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 1, actual: 1 });
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types).toEqual(['GUILD_CREATE', 'GUILD_MEMBER_REMOVE', 'GUILD_DELETE']);
  });

  test('a kick among role changes: former members have no role, in the tables and in events', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const user_id = await addMember(fixture, guild_id);
    const roles = await Promise.all(repeat(15, () => addRole(fixture, guild_id, 0n)));
    const gives = roles.map(
      (role_id) => (chat: ChatClient) => chat.addMemberRole({ guild_id, user_id, role_id }, as(owner)),
    );
    const kick = (chat: ChatClient) => chat.removeMember({ guild_id, user_id }, as(owner));
    const done = await atOnce([...gives.slice(0, 7), kick, ...gives.slice(7)]);
    expect(done[7]).toBe(true);
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 1, actual: 1 });
    const held = await fixture.sql.query('SELECT FROM member_roles WHERE guild_id = $1', [guild_id]);
    expect(held.rowCount).toBe(0);
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types.lastIndexOf('GUILD_MEMBER_UPDATE')).toBeLessThan(types.indexOf('GUILD_MEMBER_REMOVE'));
    expect(types.filter((type) => type === 'GUILD_MEMBER_UPDATE')).toHaveLength(
      done.filter(Boolean).length - 1,
    );
  });

  test('sixteen roles added concurrently are all held, and each event includes the earlier ones', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const user_id = await addMember(fixture, guild_id);
    const roles = await Promise.all(repeat(16, () => addRole(fixture, guild_id, 0n)));
    await atOnce(
      roles.map(
        (role_id) => (chat: ChatClient) => chat.addMemberRole({ guild_id, user_id, role_id }, as(owner)),
      ),
    );
    const events = (await eventsOf(fixture, guild_id)).filter(({ type }) => type === 'GUILD_MEMBER_UPDATE');
    const counts = events.map(({ payload }) => (payload.member as { role_ids: string[] }).role_ids.length);
    expect(counts).toEqual(repeat(16, (n) => n + 1));
  });

  test('joins and kicks in turn leave the right member count', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { invite } = await fixture.chat.createInvite({ channel_id: general }, as(owner));
    const code = invite?.code ?? '';
    const accounts = repeat(4, () => addAccount(fixture));
    const calls = repeat(32, (n) => {
      const account = accounts[n % 4] ?? owner;
      return (chat: ChatClient): Promise<unknown> =>
        n % 8 < 4
          ? chat.acceptInvite({ code }, as(account))
          : chat.removeMember({ guild_id, user_id: account }, as(owner));
    });
    await atOnce(calls);
    const { stored, actual } = await memberCounts(fixture, guild_id);
    expect(stored).toBe(actual);
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    const count = (wanted: string) => types.filter((type) => type === wanted).length;
    expect(1 + count('GUILD_MEMBER_ADD') - count('GUILD_MEMBER_REMOVE')).toBe(actual);
  });

  test('a member who leaves while being kicked leaves once', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const user_id = await addMember(fixture, guild_id);
    const leave = (chat: ChatClient) => chat.leaveGuild({ guild_id }, as(user_id));
    const kick = (chat: ChatClient) => chat.removeMember({ guild_id, user_id }, as(owner));
    // One more of each, so that each kind of call reaches both replicas.
    const done = await atOnce(repeat(17, (n) => (n % 3 === 0 ? leave : kick)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await memberCounts(fixture, guild_id)).toEqual({ stored: 1, actual: 1 });
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types).toEqual(['GUILD_CREATE', 'GUILD_MEMBER_REMOVE', 'GUILD_DELETE']);
  });

  test('of sixteen accounts joining a guild that is being deleted, none remains a member', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { invite } = await fixture.chat.createInvite({ channel_id: general }, as(owner));
    const code = invite?.code ?? '';
    const joins = repeat(16, () => {
      const account = addAccount(fixture);
      return (chat: ChatClient) => chat.acceptInvite({ code }, as(account));
    });
    const end = (chat: ChatClient) => chat.deleteGuild({ guild_id }, as(owner));
    const done = await atOnce([...joins.slice(0, 8), end, ...joins.slice(8)]);
    expect(done[8]).toBe(true);
    for (const table of ['members', 'member_roles', 'invites', 'roles', 'channels']) {
      const { rowCount } = await fixture.sql.query(`SELECT FROM ${table} WHERE guild_id = $1`, [guild_id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
    // Each join is logged before the end, and none after it.
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types.at(-1)).toBe('GUILD_DELETE');
    const joined = done.filter(Boolean).length - 1;
    expect(types.filter((type) => type === 'GUILD_MEMBER_ADD')).toHaveLength(joined);
  });

  test('a role that is being deleted is held by no member afterwards', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const members = await Promise.all(repeat(16, () => addMember(fixture, guild_id)));
    const role_id = await addRole(fixture, guild_id, 0n);
    const gives = members.map(
      (user_id) => (chat: ChatClient) => chat.addMemberRole({ guild_id, user_id, role_id }, as(owner)),
    );
    const end = (chat: ChatClient) => chat.deleteRole({ guild_id, role_id }, as(owner));
    const done = await atOnce([...gives.slice(0, 8), end, ...gives.slice(8)]);
    expect(done[8]).toBe(true);
    const held = await fixture.sql.query('SELECT FROM member_roles WHERE role_id = $1', [role_id]);
    expect(held.rowCount).toBe(0);
    const types = (await eventsOf(fixture, guild_id)).map(({ type }) => type);
    expect(types.lastIndexOf('GUILD_MEMBER_UPDATE')).toBeLessThan(types.indexOf('GUILD_ROLE_DELETE'));
  });
});
