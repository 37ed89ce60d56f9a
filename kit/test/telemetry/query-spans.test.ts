import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { type OtlpReceiver, startOtlpReceiver } from '@gatehouse/dev-env/telemetry/otlp-receiver';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openPool } from '../../src/db/pool.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { watchQueries } from '../../src/db/watch-queries.ts';
import { silentLogger } from '../../src/log.ts';
import { withSpan } from '../../src/trace/current-span.ts';
import { openTracer } from '../../src/trace/open-tracer.ts';
import { querySpans } from '../../src/trace/query-spans.ts';
import type { Tracer } from '../../src/trace/tracer.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
let database: TestDatabase;
let pool: pg.Pool;
let receiver: OtlpReceiver;
let tracer: Tracer;

beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'query_spans');
});
afterAll(() => database.drop());

/** One connection, so that queries wait for it. */
beforeEach(async () => {
  pool = openPool({ database_url: database.database_url, application_name: 'test', max: 1 });
  watchQueries(pool, [querySpans(pool)]);
  receiver = await startOtlpReceiver();
  const settings = { headers: {}, resource: {}, sampler: 'always_on', ratio: 1 } as const;
  tracer = openTracer({ ...settings, endpoint: receiver.url, service: 'test', log: silentLogger });
  onTestFinished(async () => {
    await pool.end();
    await tracer.close();
    await receiver.close();
  });
});

async function statements(): Promise<string[]> {
  await tracer.close();
  return receiver.spans.filter(({ kind }) => kind === 'client').map(({ name }) => name);
}

test('statements of a traced request have spans with their names, and none of their values', async () => {
  const root = tracer.begin('request', {}, undefined);
  await withSpan(root, async () => {
    await inTransaction(pool, async (tx) => {
      await tx.query({ name: 'add_thing', text: 'INSERT INTO thing (name) VALUES ($1)', values: ['s3cret'] });
      await tx.query("SELECT 's3cret' FROM thing");
    });
    const again = { name: 'add_thing', text: 'INSERT INTO thing (name) VALUES ($1)', values: ['s3cret'] };
    await expect(pool.query(again)).rejects.toThrow('unique');
  });
  root.end();
  expect(await statements()).toEqual(['BEGIN', 'add_thing', 'SELECT thing', 'COMMIT', 'add_thing']);
  expect(receiver.spans.find(({ failed }) => failed)).toMatchObject({
    name: 'add_thing',
    parent_span_id: root.traceparent.split('-')[2],
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': new URL(database.database_url).pathname.slice(1),
      'db.query.summary': 'add_thing',
      'error.type': '23505',
    },
  });
  const everything = receiver.spans.flatMap(({ name, attributes }) => [name, ...Object.values(attributes)]);
  expect(everything.join(' ')).not.toContain('s3cret');
});

test('a query that waits for a connection stays in its own trace, whoever returns the connection', async () => {
  const [one, two] = ['one', 'two'].map((name) => tracer.begin(name, {}, undefined));
  const statement = (name: string) => ({ name, text: 'SELECT 1' });
  await Promise.all([
    withSpan(one, () => pool.query(statement('of_one'))),
    pool.query(statement('of_nobody')),
    withSpan(two, () => pool.query(statement('of_two'))),
    withSpan(undefined, () => pool.query(statement('of_nobody_either'))),
    withSpan(one, async () => (await pool.connect()).release()),
  ]);
  one?.end();
  two?.end();
  expect(await statements()).toEqual(['of_one', 'of_two']);
  const traceOf = (name: string) => receiver.spans.find((span) => span.name === name)?.trace_id;
  expect([traceOf('of_one'), traceOf('of_two')]).toEqual([one?.traceId, two?.traceId]);
});
