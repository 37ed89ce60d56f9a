import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { inMaintenanceDatabase } from '../../src/db/create-database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLogger, type Logger } from '../../src/log.ts';

let dir: string;
let database_url: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  database_url = await testDatabaseUrl('migrate');
});

afterEach(async () => {
  await dropTestDatabase(database_url);
  await rm(dir, { recursive: true });
});

const run = (log?: Logger) => migrate({ database_url, dir, ...(log && { log }) });
const write = (name: string, sql: string) => writeFile(join(dir, name), sql);

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database_url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const applied = () => query('SELECT name FROM schema_migration ORDER BY name');

test('creates a missing database and runs the files in order, once', async () => {
  await write('0002_rows.sql', "INSERT INTO thing VALUES ('b');");
  await write('0001_table.sql', "CREATE TABLE thing (name text); INSERT INTO thing VALUES ('a');");
  await write('notes.md', 'not SQL');
  await run();
  await run();
  expect(await query('SELECT name FROM thing ORDER BY name')).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(await applied()).toEqual([{ name: '0001_table.sql' }, { name: '0002_rows.sql' }]);
});

test('ten migrators at once on a missing database run each file once', async () => {
  await write('0001_table.sql', 'CREATE TABLE thing (at timestamptz)');
  await write('0002_row.sql', 'INSERT INTO thing SELECT clock_timestamp() FROM pg_sleep(0.1)');
  await Promise.all(Array.from({ length: 10 }, () => run()));
  expect(await query('SELECT count(*)::int AS rows FROM thing')).toEqual([{ rows: 1 }]);
});

test('logs once that it waits for another migration, and continues after it', async () => {
  await write('0001_table.sql', 'CREATE TABLE thing (id int)');
  await run();
  await write('0002_row.sql', 'INSERT INTO thing VALUES (1)');
  const user = new pg.Client({ connectionString: database_url });
  await user.connect();
  await user.query('BEGIN; LOCK TABLE thing');
  const first = run();
  await untilWaitingForLock(user, 1);
  const lines: string[] = [];
  const second = run(createLogger({ name: 'it', destination: { write: (line) => lines.push(line) } }));
  await untilWaitingForLock(user, 2);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['waiting for another migration']);
  await user.end();
  await Promise.all([first, second]);
  expect(await query('SELECT id FROM thing')).toEqual([{ id: 1 }]);
});

test('fails with the address of a server that accepts connections but does not answer', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const silent = `postgres://someone:secret@127.0.0.1:${port}/gatehouse_chat`;
  const attempts = [
    migrate({ database_url: silent, dir }),
    inMaintenanceDatabase(silent, (client) => client.query('SELECT')),
  ];
  const message = new RegExp(`^the database at 127.0.0.1:${port} does not answer$`);
  await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toThrow(message)));
});

test('a failing file is rolled back completely and named with its line, and earlier files stay applied', async () => {
  await write('0001_good.sql', 'CREATE TABLE good (id int)');
  await write(
    '0002_bad.sql',
    'CREATE TABLE half (id int);\nINSERT INTO half VALUES (1);\nINSERT INTO nowhere VALUES (1);',
  );
  await expect(run()).rejects.toThrow(
    'migration 0002_bad.sql, line 3, failed: relation "nowhere" does not exist',
  );
  expect(await query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
  expect(await applied()).toEqual([{ name: '0001_good.sql' }]);

  await write('0002_bad.sql', 'CREATE TABLE whole (id int)');
  await run();
  expect(await applied()).toEqual([{ name: '0001_good.sql' }, { name: '0002_bad.sql' }]);
});

test('refuses an edited file, but not one whose line endings changed', async () => {
  await write('0001_table.sql', 'CREATE TABLE thing (\n  id int\n)');
  await run();
  await write('0001_table.sql', 'CREATE TABLE thing (\r\n  id int\r\n)');
  await run();
  await write('0001_table.sql', 'CREATE TABLE thing (\n  id bigint\n)');
  await expect(run()).rejects.toThrow('migration 0001_table.sql was edited after it had been applied');
});

test('refuses a file before one already applied, and a missing applied one', async () => {
  await write('0001_a.sql', 'SELECT 1');
  await write('0002_b.sql', 'SELECT 1');
  await write('0004_d.sql', 'SELECT 1');
  await run();
  await write('0003_c.sql', 'SELECT 1');
  await expect(run()).rejects.toThrow('migration 0003_c.sql comes before 0004_d.sql');
  await rm(join(dir, '0003_c.sql'));
  await rm(join(dir, '0002_b.sql'));
  await expect(run()).rejects.toThrow('migration 0002_b.sql has been applied, but is missing');
});

test('refuses a renamed file that was applied', async () => {
  await write('0001_a.sql', 'SELECT 1');
  await write('0002_c.sql', 'SELECT 1');
  await run();
  await rm(join(dir, '0002_c.sql'));
  await write('0002_b.sql', 'SELECT 1');
  await expect(run()).rejects.toThrow('migration 0002_c.sql has been applied, but is missing');
});

test.each(['0001_accounts.sql', '0001_guilds.sql'])(
  'refuses a database that began with %s instead of the baseline, names the remedy, and changes nothing',
  async (name) => {
    await write(name, 'CREATE TABLE thing (id int)');
    await write('0002_more.sql', 'SELECT 1');
    await run();
    const before = await applied();
    for (const file of [name, '0002_more.sql']) await rm(join(dir, file));
    await write('0001_baseline.sql', 'DROP TABLE thing');
    const lines: string[] = [];
    const log = createLogger({ name: 'it', destination: { write: (line) => lines.push(line) } });
    const database = new URL(database_url).pathname.slice(1);
    await expect(run(log)).rejects.toMatchObject({
      name: 'ConfigError',
      problems: [
        `DATABASE_URL: the database ${database} was not made by a release: its first migration is ${name}, and must be 0001_baseline.sql. Drop it, or name an empty one (docs/database.md#another-history)`,
      ],
    });
    expect(lines).toEqual([]);
    expect(await applied()).toEqual(before);
    expect(await query("SELECT to_regclass('thing') AS thing")).toEqual([{ thing: 'thing' }]);
  },
);

test('lets an older release start on a database that a newer one has migrated', async () => {
  await write('0001_a.sql', 'SELECT 1');
  await write('0002_newer.sql', 'SELECT 1');
  await run();
  await rm(join(dir, '0002_newer.sql'));
  await run();
});

test.each([
  ['a misnamed file', { 'first.sql': '' }, 'migration first.sql is not named NNNN_what.sql'],
  ['a number used twice', { '0001_a.sql': '', '0001_b.sql': '' }, '0001_a.sql and 0001_b.sql share a number'],
  ['its own COMMIT', { '0001_a.sql': 'SELECT 1;\nCOMMIT;' }, '0001_a.sql must leave BEGIN and COMMIT'],
])('refuses %s before touching the server', async (_, files, message) => {
  for (const [name, sql] of Object.entries(files)) await write(name, sql);
  await expect(run()).rejects.toThrow(message);
});

test('reports a missing database that it may not create', async () => {
  await write('0001_a.sql', 'SELECT 1');
  const nobody = new URL(database_url);
  await run();
  await query("CREATE ROLE migrate_nobody LOGIN PASSWORD 'x'");
  try {
    nobody.username = 'migrate_nobody';
    nobody.password = 'x';
    nobody.pathname += '_other';
    await expect(migrate({ database_url: nobody.href, dir })).rejects.toThrow(
      /is missing and cannot be created/,
    );
  } finally {
    await query('DROP ROLE migrate_nobody');
  }
});

test('creates its database in UTF8, and refuses one with another encoding', async () => {
  await write('0001_a.sql', 'SELECT 1');
  const { pathname } = new URL(database_url);
  await inMaintenanceDatabase(database_url, (client) =>
    client.query(`CREATE DATABASE ${pathname.slice(1)} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`),
  );
  await expect(run()).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining('has the encoding SQL_ASCII; it must be UTF8'),
  });
  await dropTestDatabase(database_url);
  await run();
  expect(await query('SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
});
