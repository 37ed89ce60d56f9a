import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANNEL_COLUMNS } from '../../src/store/channels/channels.ts';
import { MESSAGE_PAGE } from '../../src/store/messages/list-messages.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const LONG_CHANNEL = '1';
const MESSAGES = 100_000;
const MIDDLE = String(MESSAGES / 2);
const NEWEST = '9223372036854775807';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_message_pages');
  // One long channel among a thousand short ones.
  await fixture.sql.query(
    `INSERT INTO messages (channel_id, id, author_id, type, flags, content, embeds, mention_ids, mention_role_ids,
       mention_everyone)
     SELECT CASE WHEN n % 2 = 0 THEN $1::bigint ELSE n % 1000 + 2 END, n / 2, 1, 0, 0, 'x', '[]', '{}', '{}', false
     FROM generate_series(2, $2::integer * 2 + 1) AS n`,
    [LONG_CHANNEL, MESSAGES],
  );
  await fixture.sql.query('ANALYZE messages');
});
afterAll(() => fixture.close());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of the generic plan, as it ran. */
async function nodesOf(statement: string, values: readonly unknown[]): Promise<PlanNode[]> {
  const client = await fixture.sql.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE statement AS ${statement}`);
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE statement (${values.join(', ')})`,
    );
    return flat(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    client.release(true);
  }
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}

test.each([
  ['the newest messages', [NEWEST, 50, NEWEST, 0]],
  ['the messages before one', [MIDDLE, 50, NEWEST, 0]],
  ['the messages after one', ['0', 0, MIDDLE, 50]],
  ['the oldest messages', ['0', 0, '0', 50]],
  ['the messages around one', [MIDDLE, 25, String(Number(MIDDLE) - 1), 25]],
])('a page of %s reads only its own messages, by the primary key', async (_, window) => {
  const nodes = await nodesOf(MESSAGE_PAGE.text, [LONG_CHANNEL, ...window]);
  const scans = nodes.filter(
    (node) => node['Node Type'].endsWith('Scan') && !node['Node Type'].startsWith('Subquery'),
  );
  expect(scans.map((node) => [node['Node Type'], node['Index Name']])).toEqual([
    ['Index Scan', 'messages_pkey'],
    ['Index Scan', 'messages_pkey'],
  ]);
  const read = scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
  expect(read).toBe(50);
  const sorted = nodes
    .filter((node) => node['Node Type'].includes('Sort'))
    .map((node) => node['Actual Rows']);
  expect(Math.max(0, ...sorted)).toBeLessThanOrEqual(50);
});

test('the last message of a channel is read with one index entry', async () => {
  await fixture.sql.query(`INSERT INTO channels (id, type) VALUES ($1, 3)`, [LONG_CHANNEL]);
  const nodes = await nodesOf(`SELECT ${CHANNEL_COLUMNS} FROM channels WHERE id = $1`, [LONG_CHANNEL]);
  const scans = nodes.filter((node) => node['Index Name'] === 'messages_pkey');
  expect(scans.map((node) => [node['Node Type'], node['Actual Rows']])).toEqual([['Index Only Scan', 1]]);
  expect(nodes.some((node) => node['Relation Name'] === 'messages' && node['Index Name'] === undefined)).toBe(
    false,
  );
});
