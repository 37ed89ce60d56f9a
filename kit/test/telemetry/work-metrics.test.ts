import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { outboxCounts } from '../../src/db/outbox-counts.ts';
import { openPool } from '../../src/db/pool.ts';
import { statementLabels, summary } from '../../src/db/statement-label.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { watchQueries } from '../../src/db/watch-queries.ts';
import { batchMetrics } from '../../src/metrics/batch-metrics.ts';
import { outboxMetrics } from '../../src/metrics/outbox-metrics.ts';
import { queryMetrics } from '../../src/metrics/query-metrics.ts';
import { batcher } from '../../src/queues/batch.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
const THINGS = [{ table: 'thing', since: 'now()' }];
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'work_metrics');
  pool = openPool({ database_url: database.database_url, application_name: 'test', max: 2 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('every statement is counted by its name, also in transactions, and the rest as "other"', async () => {
  const registry = new Registry();
  watchQueries(pool, [queryMetrics(registry)]);
  await pool.query({ name: 'one', text: 'SELECT 1' });
  await inTransaction(pool, (tx) => tx.query({ name: 'two', text: 'SELECT 2' }));
  await pool.query("SELECT 'a secret'");
  await expect(pool.query({ name: 'wrong', text: 'SELECT 1 / 0' })).rejects.toThrow('division');
  await pool.query({ name: 'prisma_1', text: 'SELECT "public"."thing"."name" FROM "public"."thing"' });

  const text = await registry.metrics();
  const counted = [...text.matchAll(/_count\{statement="(.*)"\} (\d+)/g)].map(([, ...found]) =>
    found.join(' '),
  );
  expect(counted.sort()).toEqual(
    ['BEGIN 1', 'COMMIT 1', 'SELECT thing 1', 'one 1', 'other 1', 'two 1', 'wrong 1'].sort(),
  );
});

test('rows of outboxes are counted per scrape; an unreadable table has no value', async () => {
  const registry = new Registry();
  outboxMetrics(registry, outboxCounts(pool, THINGS));
  await pool.query("INSERT INTO thing (name) VALUES ('waits'), ('waits too')");
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::integer AS count FROM thing');
  expect(await registry.metrics()).toContain(`outbox_waiting{outbox="thing"} ${rows[0]?.count}`);

  const other = openPool({ database_url: database.database_url, application_name: 'test', max: 1 });
  onTestFinished(() => other.end());
  const missing = new Registry();
  outboxMetrics(missing, outboxCounts(other, ['nowhere']));
  expect(await missing.metrics()).not.toContain('outbox_waiting{');
});

test('while a count is running, scrapes start no other, and are answered without it', async () => {
  const registry = new Registry();
  const other = openPool({ database_url: database.database_url, application_name: 'test', max: 4 });
  onTestFinished(() => other.end());
  outboxMetrics(registry, outboxCounts(other, THINGS));
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE thing');
    const scrapes = [registry.metrics(), registry.metrics(), registry.metrics()];
    for (const text of await Promise.all(scrapes)) expect(text).not.toContain('outbox_waiting{');
    expect(await registry.metrics()).not.toContain('outbox_waiting{');
    expect(other.totalCount).toBe(1);
    await holder.query('ROLLBACK');
  } finally {
    holder.release();
  }
  await expect.poll(() => registry.metrics()).toContain('outbox_waiting{outbox="thing"}');
});

test('batches are counted by size, and so are waiting calls', async () => {
  const registry = new Registry();
  const open: (() => void)[] = [];
  const ask = batcher<number, number>({
    maxInFlight: 1,
    watch: batchMetrics(registry)('double'),
    run: (items) => new Promise((resolve) => open.push(() => resolve(items.map((item) => item * 2)))),
  });
  const answers = [1, 2, 3].map(ask);
  await expect.poll(() => open).toHaveLength(1);
  answers.push(ask(4));
  expect(await registry.metrics()).toContain('batch_waiting{batch="double"} 1');
  open[0]?.();
  await expect.poll(() => open).toHaveLength(2);
  open[1]?.();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8]);

  const text = await registry.metrics();
  expect(text).toContain('batch_waiting{batch="double"} 0');
  expect(text).toContain('batch_size_bucket{le="1",batch="double"} 1');
  expect(text).toContain('batch_size_bucket{le="4",batch="double"} 2');
  expect(text).toContain('batch_size_sum{batch="double"} 4');
});

describe('the label of a statement', () => {
  test.each([
    ['SELECT 1', 'SELECT'],
    ['SELECT "public"."webhooks"."id" FROM "public"."webhooks" WHERE 1=1', 'SELECT webhooks'],
    ['INSERT INTO "public"."webhooks" ("id") VALUES ($1)', 'INSERT webhooks'],
    ["UPDATE accounts SET name = 'from x'", 'UPDATE accounts'],
    ['  delete from sessions', 'DELETE sessions'],
    ["'; DROP TABLE x", 'other'],
  ])('%s', (text, words) => {
    expect(summary(text)).toBe(words);
  });

  test('only some hundred names are distinguished', () => {
    const labelOf = statementLabels();
    const labels = new Set(
      Array.from({ length: 2000 }, (_, i) => labelOf({ name: `name_${i}`, text: 'SELECT 1' })),
    );
    expect(labels.size).toBe(501);
    expect(labelOf({ name: 'name_1', text: 'SELECT 1' })).toBe('name_1');
  });
});
