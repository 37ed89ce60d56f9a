import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startTestPostgres } from '../src/postgres/postgres-server.ts';
import { testDatabase, testServer } from '../src/postgres/test-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../test/fixtures/migrations', import.meta.url));

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('every database is migrated and separate, though all are requested at once', async () => {
  const databases = await Promise.all(
    Array.from({ length: 6 }, (_, n) => testDatabase(MIGRATIONS, `Clone ${n}`)),
  );
  try {
    await Promise.all(databases.map((one) => query(one.database_url, "INSERT INTO thing VALUES ('mine')")));
    const rows = await Promise.all(databases.map((one) => query(one.database_url, 'SELECT name FROM thing')));
    expect(rows).toEqual(databases.map(() => [{ name: 'mine' }]));
  } finally {
    await Promise.all(databases.map((one) => one.drop()));
  }
});

test('a database is dropped despite open connections, and dropping it again is no error', async () => {
  const database = await testDatabase(MIGRATIONS, 'dropped');
  const client = new pg.Client({ connectionString: database.database_url });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
  await database.drop();
  await expect(query(database.database_url, 'SELECT 1')).rejects.toThrow('does not exist');
});

test('one server serves the whole run', async () => {
  expect(await testServer()).toBe(await testServer());
});

test('a run without a prefix is refused: its end would drop databases of others', async () => {
  await expect(startTestPostgres('')).rejects.toThrow('prefix');
});
