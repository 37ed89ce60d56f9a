import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount, addGroupDm, addGuild, addMember, addRole, newId } from '../support/guilds.ts';
import { channelEvents, laterEventsOf, memberCounts } from '../support/log.ts';
import { as, internally } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { stateOf } from '../support/state.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_remove_bot', 2);
});
afterAll(() => fixture.close());

const remove = (bot_id: string, replica = 0) => {
  const chat = fixture.replicas[replica] ?? fixture.chat;
  return chat.removeBot({ bot_id }, internally);
};

async function install(bot_id: string) {
  const home = await addGuild(fixture);
  await fixture.chat.installBot(
    { bot_id, application_name: 'Helper', guild_id: home.guild_id },
    as(home.owner),
  );
  return home;
}

test('a bot leaves its guilds with its roles, with the events of a leaving member', async () => {
  const bot = newId();
  const guilds = [await install(bot), await install(bot)];
  const role = await addRole(fixture, guilds[0]?.guild_id ?? '', 0n, { holder: bot });
  await remove(bot);
  for (const { guild_id, owner } of guilds) {
    const { members, member_count } = await stateOf(fixture, guild_id);
    expect({ members: members.map(({ account_id }) => account_id), member_count }).toEqual({
      members: [owner],
      member_count: 1,
    });
    expect((await laterEventsOf(fixture, guild_id)).slice(-2)).toMatchObject([
      { type: 'GUILD_MEMBER_REMOVE', account_ids: null },
      { type: 'GUILD_DELETE', account_ids: [bot] },
    ]);
  }
  const { rowCount } = await fixture.sql.query('SELECT FROM member_roles WHERE role_id = $1', [role]);
  expect(rowCount).toBe(0);
});

test('a bot leaves its group DMs: the next recipient inherits a DM that the bot owned, and a DM without recipients is deleted', async () => {
  const bot = newId();
  const [first, second] = [addAccount(fixture), addAccount(fixture)];
  const joined = await addGroupDm(fixture, [first, second, bot]);
  const opened = await addGroupDm(fixture, [bot, second, first]);
  const alone = await addGroupDm(fixture, [bot]);
  await remove(bot);
  const { rows } = await fixture.sql.query(
    'SELECT id, owner_id, recipient_ids FROM channels WHERE id = ANY ($1) ORDER BY id',
    [[joined, opened, alone]],
  );
  expect(rows).toEqual([
    { id: joined, owner_id: first, recipient_ids: [first, second] },
    { id: opened, owner_id: second, recipient_ids: [second, first] },
  ]);
  expect((await channelEvents(fixture, joined)).map(({ type }) => type)).toEqual([
    'CHANNEL_RECIPIENT_REMOVE',
    'CHANNEL_DELETE',
  ]);
});

test('DMs, guilds that the bot owns, and other members stay', async () => {
  const bot = addAccount(fixture, 'bot');
  const { guild } = await fixture.chat.createGuild({ name: 'Owned' }, as(bot));
  const owned = guild?.id ?? '';
  const other = await addMember(fixture, owned);
  const dm = await addGroupDm(fixture, [bot, other], 1);
  const before = [await stateOf(fixture, owned), await stateOf(fixture, dm)];
  await remove(bot);
  expect([await stateOf(fixture, owned), await stateOf(fixture, dm)]).toEqual(before);
});

test('a bot leaves each of several pages of guilds once, also when the call is repeated', async () => {
  const bot = newId();
  const { owner } = await addGuild(fixture);
  const { rows } = await fixture.sql.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO guilds (id, name, owner_id, member_count)
       SELECT 800000000000000000 + n, 'Many', $1, 1 FROM generate_series(1, 230) AS n RETURNING id
     ), joined AS (INSERT INTO members (guild_id, account_id) SELECT id, $2 FROM made)
     SELECT id FROM made`,
    [owner, bot],
  );
  await Promise.all(Array.from({ length: 6 }, (_, n) => remove(bot, n % 2)));
  const ids = rows.map(({ id }) => id);
  const left = await fixture.sql.query('SELECT FROM members WHERE account_id = $1', [bot]);
  expect(left.rowCount).toBe(0);
  const events = await fixture.sql.query<{ count: number }>(
    `SELECT count(*)::int FROM events WHERE guild_id = ANY ($1) AND type = 'GUILD_MEMBER_REMOVE'`,
    [ids],
  );
  expect(events.rows).toEqual([{ count: 230 }]);
  expect(await memberCounts(fixture, ids[0] ?? '')).toEqual({ stored: 0, actual: 0 });
});

test('a bot without guilds, or an invalid ID, changes nothing', async () => {
  await remove(newId());
  expect(await violationsOf(remove('abc'))).toEqual(['bot_id INVALID_SNOWFLAKE_FORMAT']);
});
