import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addGuild, addMember } from '../support/guilds.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_search_members');
});
afterAll(() => fixture.close());

async function addNamed(guild_id: string, username: string, global_name: string | null = null) {
  const id = await addMember(fixture, guild_id);
  fixture.accounts.set(id, { id, username, discriminator: '0', global_name, avatar: null, bot: false });
  return id;
}

test('members are found by a part of nick, display name or user name, in upper or lower case', async () => {
  const { guild_id, owner } = await addGuild(fixture);
  const ada = await addNamed(guild_id, 'ada');
  const display = await addNamed(guild_id, 'x1', 'Countess ADA');
  const nicked = await addNamed(guild_id, 'x2');
  await fixture.chat.updateMember({ guild_id, user_id: nicked, nick: { value: 'Not Ａda' } }, as(owner));
  const arabic = await addNamed(guild_id, 'x3', 'عائشة Aisha 👩‍👩‍👧');
  const deleted = await addNamed(guild_id, 'adam');
  fixture.accounts.delete(deleted);
  const search = async (query: string, page = {}) => {
    const { members } = await fixture.chat.listMembers({ guild_id, query, ...page }, as(owner));
    return members.map(({ user }) => user?.id);
  };
  expect(await search('ada')).toEqual([ada, display, nicked]);
  expect(await search(' AdA ')).toEqual([ada, display, nicked]);
  expect(await search('ada', { limit: 1, after: ada })).toEqual([display]);
  expect(await search('عائشة')).toEqual([arabic]);
  expect(await search('👩‍👩‍👧')).toEqual([arabic]);
  for (const nobody of ['%', '_', '<script>', 'Deleted User']) expect(await search(nobody)).toEqual([]);
});

test('a search goes through thousands of members, with few calls of auth', async () => {
  const { guild_id, owner } = await addGuild(fixture);
  const count = 3_500;
  const { rows } = await fixture.sql.query<{ id: string }>(
    `INSERT INTO members (guild_id, account_id)
     SELECT $1, 800000000000000000 + n FROM generate_series(1, $2::integer) n RETURNING account_id AS id`,
    [guild_id, count],
  );
  for (const { id } of rows)
    fixture.accounts.set(id, {
      id,
      username: `m${id}`,
      discriminator: '0',
      global_name: null,
      avatar: null,
      bot: false,
    });
  fixture.lookups.length = 0;
  const last = await fixture.chat.listMembers({ guild_id, query: 'm800000000000003499' }, as(owner));
  expect(last.members.map(({ user }) => user?.id)).toEqual(['800000000000003499']);
  expect(fixture.lookups.length).toBeLessThan(12);
});

test.each([
  ['', 'STRING_LENGTH_INVALID'],
  ['  ', 'STRING_LENGTH_INVALID'],
  ['x'.repeat(101), 'STRING_LENGTH_INVALID'],
  ['a\0b', 'INVALID_FORMAT'],
])('the query "%s" is %s', async (query, code) => {
  const { guild_id, owner } = await addGuild(fixture);
  const search = fixture.chat.listMembers({ guild_id, query }, as(owner));
  expect(await violationsOf(search)).toEqual([`query ${code}`]);
});
