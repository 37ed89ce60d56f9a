import { violationsOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addGroupDm, addGuild, addMember, newId } from '../support/guilds.ts';
import { as, internally, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_export_account');
});
afterAll(() => fixture.close());

interface Row {
  readonly id: string;
  readonly content?: string;
  readonly owner?: boolean;
  readonly action_type?: number;
}

/** All rows of a file, page by page. */
async function rowsOf(account_id: string, file: string): Promise<Row[]> {
  const found: Row[] = [];
  let after: string | undefined;
  do {
    const page = await fixture.chat.exportAccount(
      { account_id, file, ...(after !== undefined && { after }) },
      internally,
    );
    found.push(...(JSON.parse(`[${page.rows}]`) as Row[]));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

test('all messages that an account wrote are exported, in all channels, and no others', async () => {
  const { owner, guild_id, general } = await addGuild(fixture);
  const member = await addMember(fixture, guild_id);
  await fixture.chat.createMessage(messageOf(general, 'of somebody else'), as(member));
  await fixture.sql.query(
    `INSERT INTO messages (channel_id, id, author_id, type, flags, content, embeds, mention_ids, mention_role_ids,
                           mention_everyone)
     SELECT 1000 + n % 7, $1::bigint + n, $2, 0, 0, 'message ' || n, '[]', '{}', '{}', false
       FROM generate_series(1, 3000) AS n`,
    [newId(), owner],
  );
  const messages = await rowsOf(owner, 'messages');
  expect(messages).toHaveLength(3000);
  expect(new Set(messages.map(({ content }) => content)).size).toBe(3000);
});

test('guilds, private channels and audit-log entries of an account are exported', async () => {
  const { owner, guild_id } = await addGuild(fixture);
  const { guild_id: other, owner: stranger } = await addGuild(fixture);
  await fixture.sql.query('INSERT INTO members (guild_id, account_id) VALUES ($1, $2)', [other, owner]);
  const channel_id = await addGroupDm(fixture, [owner, stranger]);
  await fixture.chat.updateGuild({ guild_id, name: 'Renamed', icon: null }, as(owner));
  await fixture.chat.updateGuild({ guild_id: other, name: 'Renamed', icon: null }, as(stranger));

  expect(await rowsOf(owner, 'guilds')).toMatchObject([
    { id: guild_id, owner: true, name: 'Renamed' },
    { id: other, owner: false },
  ]);
  expect(await rowsOf(owner, 'private_channels')).toMatchObject([{ id: channel_id, owner: true }]);
  expect(await rowsOf(owner, 'audit_log')).toMatchObject([{ guild_id, action_type: 1 }]);
});

test.each([
  { account_id: '1', file: 'secrets' },
  { account_id: 'one', file: 'guilds' },
  { account_id: '1', file: 'guilds', after: '{1} OR true' },
])('%j is refused', async (request) => {
  expect(await violationsOf(fixture.chat.exportAccount(request, internally))).toEqual([
    'root INVALID_FORMAT',
  ]);
});
