import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount, addGuild, addMember, addOverwrite, addRole, newId } from '../support/guilds.ts';
import { internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { cursorOf, mark, openReader, payloadOf } from './event-reader.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_guild_states', 2);
});
afterAll(() => fixture.close());

const stateOf = (request: { guild_ids?: string[]; account_ids?: string[] }) =>
  fixture.chat.getGuildStates({ guild_ids: [], account_ids: [], ...request }, internally);

async function addPrivateChannel(recipients: readonly string[], type: 1 | 3): Promise<string> {
  const id = newId();
  await fixture.sql.query('INSERT INTO channels (id, type, name, recipient_ids) VALUES ($1, $2, NULL, $3)', [
    id,
    type,
    recipients,
  ]);
  for (const account of recipients)
    await fixture.sql.query('INSERT INTO channel_recipients (channel_id, account_id) VALUES ($1, $2)', [
      id,
      account,
    ]);
  return id;
}

describe('GetGuildStates', () => {
  test('returns guilds with roles, all channels with overwrites, and the requested members', async () => {
    const { owner, guild_id, general } = await addGuild(fixture);
    const [member, other] = [await addMember(fixture, guild_id), await addMember(fixture, guild_id)];
    const role = await addRole(fixture, guild_id, 1024n, { holder: member });
    await addOverwrite(fixture, general, { id: guild_id, type: 0, deny: 1024n });
    const stranger = addAccount(fixture);
    const { guilds, accounts } = await stateOf({
      guild_ids: [guild_id, guild_id, newId(), 'x'],
      account_ids: [member, stranger],
    });
    expect(guilds).toMatchObject([
      {
        guild: {
          id: guild_id,
          owner_id: owner,
          member_count: 3,
          roles: [{ id: guild_id }, { id: role, permissions: '1024' }],
        },
        channels: [
          {
            id: general,
            guild_id,
            permission_overwrites: [{ id: guild_id, type: 0, allow: '0', deny: '1024' }],
          },
        ],
        members: [{ account_id: member, member: { user: null, roles: [role] } }],
      },
    ]);
    expect(JSON.stringify(guilds)).not.toContain(other);
    expect(accounts).toEqual([
      {
        account_id: member,
        guild_ids: [guild_id],
        members: [{ guild_id, member: guilds[0]?.members[0]?.member }],
        private_channels: [],
      },
      { account_id: stranger, guild_ids: [], members: [], private_channels: [] },
    ]);
  });

  test("returns an account's members in all its guilds without requested guilds", async () => {
    const [one, two] = [await addGuild(fixture), await addGuild(fixture)];
    const account = await addMember(fixture, one.guild_id);
    await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [
      two.guild_id,
      account,
    ]);
    const role = await addRole(fixture, two.guild_id, 0n, { holder: account });
    const { guilds, accounts } = await stateOf({ account_ids: [account] });
    expect(guilds).toEqual([]);
    expect(accounts).toMatchObject([
      {
        guild_ids: [one.guild_id, two.guild_id],
        members: [
          { guild_id: one.guild_id, member: { user: null, roles: [] } },
          { guild_id: two.guild_id, member: { user: null, roles: [role] } },
        ],
      },
    ]);
  });

  test("returns an account's guild IDs and its open private channels", async () => {
    const [one, two] = [await addGuild(fixture), await addGuild(fixture)];
    const account = await addMember(fixture, one.guild_id);
    const friend = addAccount(fixture);
    const dm = await addPrivateChannel([account, friend], 1);
    const group = await addPrivateChannel([friend, account], 3);
    const closed = await addPrivateChannel([account, addAccount(fixture)], 1);
    await fixture.sql.query('UPDATE channel_recipients SET closed = true WHERE channel_id = $1', [closed]);
    const before = await stateOf({ account_ids: [account] });
    expect(before.guilds).toEqual([]);
    const { guilds, accounts } = await stateOf({
      guild_ids: [two.guild_id, ...before.accounts.flatMap(({ guild_ids }) => guild_ids)],
      account_ids: [account],
    });
    expect(accounts).toEqual(before.accounts);
    expect(guilds.map(({ guild }) => guild?.id).sort()).toEqual([one.guild_id, two.guild_id].sort());
    expect(guilds.flatMap(({ members }) => members.map(({ account_id }) => account_id))).toEqual([account]);
    expect(accounts).toMatchObject([
      {
        account_id: account,
        guild_ids: [one.guild_id],
        private_channels: [
          { channel: { id: group, type: 3, recipients: [] }, recipient_ids: [friend, account] },
          { channel: { id: dm, type: 1 }, recipient_ids: [account, friend] },
        ],
      },
    ]);
  });

  test('accepts at most a thousand of each', async () => {
    const ids = Array.from({ length: 1001 }, newId);
    expect((await stateOf({ guild_ids: ids.slice(1), account_ids: ids.slice(1) })).accounts).toHaveLength(
      1000,
    );
    expect(await reasonOf(stateOf({ guild_ids: ids }))).toBe('BAD_REQUEST');
    expect(await reasonOf(stateOf({ account_ids: ids }))).toBe('BAD_REQUEST');
  });

  test('is consistent at its cursor: state and later events add up to the current state, also during writes', async () => {
    const { guild_id } = await addGuild(fixture);
    let writing = true;
    const join = async () => {
      const client = await fixture.sql.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT FROM guilds WHERE id = $1 FOR NO KEY UPDATE', [guild_id]);
        const account_id = newId();
        await client.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [
          guild_id,
          account_id,
        ]);
        await client.query('UPDATE guilds SET member_count = member_count + 1 WHERE id = $1', [guild_id]);
        await client.query(
          `INSERT INTO events (type, guild_id, payload) VALUES ('GUILD_MEMBER_ADD', $1, $2)`,
          [guild_id, { account_id }],
        );
        await client.query('COMMIT');
      } finally {
        client.release();
      }
    };
    const start = await cursorOf(fixture.chat);
    const joining = Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let count = 0; count < 20; count++) await join();
      }),
    ).then(() => {
      writing = false;
    });
    const states: { cursor: string; members: number }[] = [{ cursor: start, members: 1 }];
    while (writing) {
      const { cursor, guilds } = await stateOf({ guild_ids: [guild_id] });
      states.push({ cursor, members: guilds[0]?.guild?.member_count ?? 0 });
    }
    await joining;
    await mark(fixture, 'END');
    expect(states.length).toBeGreaterThan(3);
    const sample = states.filter((_, index) => index % Math.ceil(states.length / 12) === 0);
    for (const [index, { cursor, members }] of sample.entries()) {
      const reader = await openReader(fixture.replicas[index % 2] ?? fixture.chat, { cursor });
      const events = await reader.until('END');
      const joined = new Set(
        events.filter(({ type }) => type === 'GUILD_MEMBER_ADD').map((event) => payloadOf(event).account_id),
      );
      expect(members + joined.size).toBe(321);
      expect(events).toHaveLength(joined.size + 1);
      await reader.close();
    }
  });

  test('returns guilds with too many overwrites one at a time', async () => {
    const guilds = await Promise.all([addGuild(fixture), addGuild(fixture)]);
    for (const { general } of guilds)
      await fixture.sql.query(
        `INSERT INTO permission_overwrites (channel_id, id, type, allow, deny)
         SELECT $1, n, 1, 0, 0 FROM generate_series(1, 50001) AS n`,
        [general],
      );
    const guild_ids = guilds.map(({ guild_id }) => guild_id);
    expect(await reasonOf(stateOf({ guild_ids }))).toBe('BAD_REQUEST');
    for (const guild_id of guild_ids) {
      const { guilds } = await stateOf({ guild_ids: [guild_id] });
      expect(guilds[0]?.channels[0]?.permission_overwrites).toHaveLength(50_001);
    }
  });
});
