import { fileURLToPath } from 'node:url';
import { freePort } from '@gatehouse/dev-env/free-port';
import { type TestDatabase, testDatabase } from '@gatehouse/dev-env/postgres/test-database';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseFault, isUniqueViolation } from '../../src/db/errors.ts';
import { limitStatements } from '../../src/db/limit-statements.ts';
import { databaseUrl, openPool } from '../../src/db/pool.ts';
import { withClient } from '../../src/db/with-client.ts';

const MIGRATIONS = fileURLToPath(new URL('../fixtures/migrations', import.meta.url));
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase(MIGRATIONS, 'pool');
  pool = openPool({
    database_url: database.database_url,
    application_name: 'pool-test',
    max: 3,
  });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('bigint comes as text, timestamptz as Date', async () => {
  const { rows } = await pool.query("SELECT 9007199254740993::int8 AS id, 'epoch'::timestamptz AS at");
  expect(rows).toEqual([{ id: '9007199254740993', at: new Date(0) }]);
});

test('opens no more connections than max, under its name', async () => {
  await Promise.all(Array.from({ length: 12 }, () => pool.query('SELECT pg_sleep(0.02)')));
  const { rows } = await pool.query(
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE application_name = 'pool-test'",
  );
  expect(rows).toEqual([{ open: 3 }]);
});

test('a statement is planned once per connection, however few keys it looks up', async () => {
  const client = await pool.connect();
  try {
    const text = 'SELECT name FROM thing WHERE name = ANY ($1)';
    for (const name of 'abcdefgh') await client.query({ name: 'few_keys', text, values: [[name]] });
    const { rows } = await client.query(
      "SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE name = 'few_keys'",
    );
    expect(rows).toEqual([{ generic_plans: 8, custom_plans: 0 }]);
  } finally {
    client.release();
  }
});

test('a plan made while its table was small uses an index of the table', async () => {
  const client = await pool.connect();
  try {
    await client.query('CREATE TEMPORARY TABLE grown AS SELECT 1 AS id');
    await client.query('ALTER TABLE grown ADD PRIMARY KEY (id)');
    await client.query('ANALYZE grown');
    await client.query('PREPARE find_grown AS SELECT * FROM grown WHERE id = $1');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>('EXPLAIN EXECUTE find_grown (1)');
    expect(rows[0]?.['QUERY PLAN']).toMatch(/^Index .*Scan using grown_pkey/);
  } finally {
    client.release(true);
  }
});

test('the server cancels a slow statement, which is DEADLINE_EXCEEDED', async () => {
  const hasty = openPool({
    database_url: database.database_url,
    application_name: 'hasty',
    statement_timeout_ms: 300,
  });
  try {
    const error = await failure(hasty.query('SELECT pg_sleep(20)'));
    expect(databaseFault(error)).toMatchObject({ reason: 'GATEWAY_TIMEOUT' });
  } finally {
    await hasty.end();
  }
});

test('a statement whose server disappeared times out, and the next one gets a new connection', async () => {
  const proxy = await startTcpProxy();
  const lost = openPool({
    database_url: proxy.through(database.database_url),
    application_name: 'pool-test',
    statement_timeout_ms: 1_000,
  });
  try {
    await lost.query('SELECT 1');
    proxy.freeze();
    expect(databaseFault(await failure(lost.query('SELECT 1')))).toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    expect(await failure(lost.query('SELECT 1'))).toBeUndefined();
  } finally {
    await lost.end();
    proxy.cut();
    proxy.close();
  }
});

test('the limit of a statement counts from the last answer of its connection', async () => {
  const limited = new pg.Pool({ connectionString: database.database_url, max: 1 });
  const lost: string[] = [];
  limitStatements(limited, 2_000, () => lost.push('lost'));
  try {
    const client = await limited.connect();
    for (let statement = 0; statement < 3; statement++) await client.query('SELECT pg_sleep(0.8)');
    expect(lost).toEqual([]);
    client.release();
    expect(databaseFault(await failure(limited.query('SELECT pg_sleep(30)')))).toMatchObject({
      reason: 'SERVICE_UNAVAILABLE',
    });
    expect(lost).toEqual(['lost']);
    expect(await failure(limited.query('SELECT 1'))).toBeUndefined();
  } finally {
    await limited.end();
  }
});

test('connections that the server closes, idle or in a transaction, do not end the process', async () => {
  const busy = await pool.connect();
  await busy.query('BEGIN');
  const killer = openPool({ database_url: database.database_url, application_name: 'killer', max: 1 });
  try {
    await killer.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'pool-test'",
    );
  } finally {
    await killer.end();
  }
  expect(databaseFault(await failure(busy.query('SELECT 1')))).toMatchObject({
    reason: 'SERVICE_UNAVAILABLE',
  });
  busy.release(true);
  await expect.poll(() => failure(pool.query('SELECT 1'))).toBeUndefined();
});

test('an unreachable server is UNAVAILABLE; a bug of ours has no fault', async () => {
  const nowhere = openPool({
    database_url: `postgresql://x:y@127.0.0.1:${await freePort()}/z`,
    application_name: 'x',
  });
  expect(databaseFault(await failure(nowhere.query('SELECT 1')))).toMatchObject({
    reason: 'SERVICE_UNAVAILABLE',
  });
  await nowhere.end();
  expect(databaseFault(await failure(pool.query('SELECT nonsense')))).toBeUndefined();
});

test('no PG… variable changes how a URL connects', async () => {
  const { hostname, port, username, password } = new URL(database.database_url);
  expect([hostname, port, username].every(Boolean)).toBe(true);
  const misleading = {
    PGSSLMODE: 'verify-full',
    PGSSLNEGOTIATION: 'direct',
    PGOPTIONS: '-c default_transaction_read_only=on',
    PGAPPNAME: 'somebody-else',
    PGHOST: 'nowhere.invalid',
    PGPORT: '1',
    PGUSER: 'nobody',
    PGPASSWORD: `not-${password}`,
    PGPASSFILE: '/nowhere',
    PGDATABASE: 'nothing',
    PGSERVICE: 'nowhere',
    PGREPLICATION: 'database',
    PGBINARY: '1',
    PGCLIENT_ENCODING: 'LATIN1',
    PGCONNECT_TIMEOUT: '1',
  };
  for (const [name, value] of Object.entries(misleading)) vi.stubEnv(name, value);
  const { database_url } = database;
  const own = openPool({ database_url, application_name: 'own' });
  const state = `SELECT current_setting('application_name') AS name, current_setting('transaction_read_only') AS read_only,
                        1::int8 AS number`;
  try {
    expect((await own.query(state)).rows).toEqual([{ name: 'own', read_only: 'off', number: '1' }]);
    const { rows } = await withClient({ connectionString: database_url }, (client) => client.query(state));
    expect(rows).toEqual([{ name: '', read_only: 'off', number: '1' }]);
  } finally {
    await own.end();
    vi.unstubAllEnvs();
  }
});

test('a unique violation is identified by its constraint', async () => {
  await pool.query("INSERT INTO thing (name) VALUES ('a')");
  const error = await failure(pool.query("INSERT INTO thing (name) VALUES ('a')"));
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'thing_name_key')).toBe(true);
  expect(isUniqueViolation(error, 'other')).toBe(false);
  expect(isUniqueViolation(new Error('no'))).toBe(false);
});

test.each([
  ['postgresql://u:p@db:5432', 'postgresql://u:p@db:5432/gatehouse_chat'],
  ['postgres://db/shop?sslmode=disable', 'postgres://db/shop_chat?sslmode=disable'],
])("a service's database is named after the URL's: %s", (server, expected) => {
  expect(databaseUrl(server, 'chat')).toBe(expected);
});

test("a service's dash becomes an underscore", () => {
  expect(databaseUrl('postgresql://db/gatehouse', 'webhook-delivery')).toBe(
    'postgresql://db/gatehouse_webhook_delivery',
  );
});
