import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAccount, addChannel, addGuild, addMember, newId } from '../support/guilds.ts';
import { as, internally, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_find_guilds');
});
beforeEach(async () => {
  await fixture.sql.query('TRUNCATE guilds CASCADE');
});
afterAll(() => fixture.close());

async function insert(id: number, name: string, owner = 1): Promise<void> {
  await fixture.sql.query('INSERT INTO guilds (id, name, owner_id) VALUES ($1, $2, $3)', [id, name, owner]);
}

async function found(query: string, page: { before?: string; limit?: number } = {}): Promise<string[]> {
  const { guilds } = await fixture.admin.findGuilds({ query, ids: [], ...page }, internally);
  return guilds.map(({ id }) => id);
}

describe('FindGuilds', () => {
  test('finds a guild by its ID, its owner, and the start of its name in any case', async () => {
    await insert(101, 'Äpfel und Birnen', 7);
    await insert(102, 'Pears', 8);
    for (const query of ['101', '7', 'Äpfel', 'äPFEL U', ' Äpfel und Birnen ']) {
      expect([query, await found(query)]).toEqual([query, ['101']]);
    }
    for (const query of ['und', 'Birnen', 'Äpfel und Birnen!', '999']) expect(await found(query)).toEqual([]);
  });

  test('finds guilds by several IDs at once', async () => {
    for (const id of [7, 8, 9]) await insert(id, 'Guild', 1);
    const find = async (ids: string[]) =>
      (await fixture.admin.findGuilds({ query: '', ids }, internally)).guilds.map(({ id }) => id);
    expect(await find(['7', '9', '999'])).toEqual(['9', '7']);
    expect(await violationsOf(find(['x']))).toEqual(['ids INVALID_SNOWFLAKE_FORMAT']);
    expect(await violationsOf(find(Array.from({ length: 101 }, () => '1')))).toEqual([
      'ids ARRAY_LENGTH_INVALID',
    ]);
  });

  test('finds each once, newest first, also by a number that a name starts with', async () => {
    await insert(7, 'One', 7);
    await insert(8, '7 of nine', 1);
    await insert(9, 'Two', 7);
    expect(await found('7')).toEqual(['9', '8', '7']);
  });

  test('takes every character as it is', async () => {
    await insert(1, '100% cotton');
    await insert(2, '100 things');
    await insert(3, 'a_b');
    await insert(4, 'axb');
    await insert(5, "O'Brien");
    await insert(6, 'back\\slash');
    await insert(7, '😀 faces');
    expect(await found('100%')).toEqual(['1']);
    expect(await found('%')).toEqual([]);
    expect(await found('_')).toEqual([]);
    expect(await found('a_')).toEqual(['3']);
    expect(await found("o'")).toEqual(['5']);
    expect(await found("'; DROP TABLE guilds; --")).toEqual([]);
    expect(await found('back\\')).toEqual(['6']);
    expect(await found('\\')).toEqual([]);
    expect(await found('😀')).toEqual(['7']);
    expect(await found('a\0')).toEqual([]);
  });

  test('finds all for an empty query, page by page', async () => {
    for (let id = 1; id <= 5; id++) await insert(id, 'Same');
    for (const query of ['', 'same']) {
      expect(await found(query, { limit: 2 })).toEqual(['5', '4']);
      expect(await found(query, { limit: 2, before: '4' })).toEqual(['3', '2']);
      expect(await found(query, { before: '2' })).toEqual(['1']);
    }
  });

  test('refuses a query over 320 characters, and an invalid page', async () => {
    expect(await found('x'.repeat(320))).toEqual([]);
    expect(await violationsOf(found('%'.repeat(10_240)))).toEqual(['query STRING_LENGTH_INVALID']);
    expect(await violationsOf(found('', { limit: 101, before: '-1' }))).toEqual([
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      'before INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  test('the search by name uses its index', async () => {
    await fixture.sql.query(
      `INSERT INTO guilds (id, name, owner_id) SELECT n, 'guild ' || n, n FROM generate_series(1, 20000) AS n`,
    );
    await fixture.sql.query('ANALYZE guilds');
    const { rows } = await fixture.sql.query(
      `EXPLAIN SELECT id FROM guilds WHERE lower(name) ~>=~ lower('g') AND lower(name) ~<=~ (lower('g') || chr(1114111))
        ORDER BY lower(name) USING ~<~ LIMIT 100`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('guilds_by_name');
    expect(plan).not.toContain('Sort');
  });

  test('a search takes the first 10,000 names with a start, so that one letter costs no more', async () => {
    await fixture.sql.query(
      `INSERT INTO guilds (id, name, owner_id)
       SELECT n, 'Zoo ' || n, 1 FROM generate_series(100001, 110001) AS n`,
    );
    expect(await found('z', { limit: 2 })).toEqual(['110000', '109999']);
    expect(await found('zoo 110001')).toEqual(['110001']);
  });
});

describe('GetAdminGuild', () => {
  test('has the size of the guild', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    await addMember(fixture, guild_id);
    const other = await addChannel(fixture, guild_id, 0);
    for (const channel of [general, general, other])
      await fixture.chat.createMessage(messageOf(channel, 'x'), as(owner));
    // A message of 2015.
    await fixture.sql.query(
      `INSERT INTO messages SELECT (jsonb_populate_record(messages, '{"id": 1}')).* FROM messages
        WHERE channel_id = $1 LIMIT 1`,
      [general],
    );
    const { guild, ...size } = await fixture.admin.getAdminGuild({ guild_id }, internally);
    expect(guild).toMatchObject({ id: guild_id, owner_id: owner, members: 2, disablement: null });
    expect(size).toEqual({ channels: 2, roles: 1, messages: 3 });
  });

  test('counts at most 10,000 messages', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { message } = await fixture.chat.createMessage(messageOf(general, 'x'), as(owner));
    await fixture.sql.query(
      `INSERT INTO messages
       SELECT (jsonb_populate_record(messages, jsonb_build_object('id', messages.id + n))).*
         FROM messages, generate_series(1, 10005) AS n WHERE messages.id = $1`,
      [message?.id],
    );
    const { messages } = await fixture.admin.getAdminGuild({ guild_id }, internally);
    expect(messages).toBe(10_000);
  });

  test('knows no guild that does not exist', async () => {
    expect(await reasonOf(fixture.admin.getAdminGuild({ guild_id: newId() }, internally))).toBe(
      'UNKNOWN_GUILD',
    );
    expect(await violationsOf(fixture.admin.getAdminGuild({ guild_id: '%' }, internally))).toEqual([
      'guild_id INVALID_SNOWFLAKE_FORMAT',
    ]);
  });
});

test('ListAccountGuilds returns the guilds of an account, newest first', async () => {
  const account = addAccount(fixture);
  const guilds = [];
  for (let n = 0; n < 3; n++) guilds.push((await addGuild(fixture)).guild_id);
  await fixture.sql.query('INSERT INTO members (guild_id, account_id) SELECT unnest($1::bigint[]), $2', [
    guilds.slice(0, 2),
    account,
  ]);
  const list = await fixture.admin.listAccountGuilds({ account_id: account }, internally);
  expect(list.guilds.map(({ id }) => id)).toEqual([guilds[1], guilds[0]]);
  const none = await fixture.admin.listAccountGuilds({ account_id: newId() }, internally);
  expect(none.guilds).toEqual([]);
});

describe('ListGuildAuditLog', () => {
  test('returns pages, newest first, of a disabled guild too', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const before = Date.now();
    for (const name of ['One', 'Two', 'Three'])
      await fixture.chat.updateGuild({ guild_id, name, icon: null, reason: name }, as(owner));
    await fixture.admin.disableGuild({ guild_id, operator: 'ada', reason: 'x' }, internally);
    const list = (page: { before?: string; limit?: number }) =>
      fixture.admin.listGuildAuditLog({ guild_id, ...page }, internally);

    const { entries } = await list({ limit: 2 });
    expect(entries.map(({ reason }) => reason)).toEqual(['Three', 'Two']);
    expect(entries[0]).toMatchObject({ action_type: 1, user_id: owner, target_id: guild_id });
    expect(entries[0]?.at_ms).toBeGreaterThanOrEqual(before);
    const next = await list({ before: entries[1]?.id ?? '' });
    expect(next.entries.map(({ reason }) => reason)).toEqual(['One']);
    expect(await violationsOf(list({ limit: 0, before: 'x' }))).toEqual([
      'limit VALUE_MUST_BE_INTEGER_IN_RANGE',
      'before INVALID_SNOWFLAKE_FORMAT',
    ]);
  });

  test('knows no guild that does not exist', async () => {
    expect(await reasonOf(fixture.admin.listGuildAuditLog({ guild_id: newId() }, internally))).toBe(
      'UNKNOWN_GUILD',
    );
  });
});
