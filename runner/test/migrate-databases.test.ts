import { randomBytes } from 'node:crypto';
import { dropTestDatabase, testDatabaseUrl } from '@gatehouse/dev-env/postgres/test-database';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { ConfigError } from '@gatehouse/kit/env';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabases } from '../src/migrate-databases.ts';

/** SQLSTATE of a database that does not exist. */
const INVALID_CATALOG_NAME = '3D000';

test('migrates the database of each service in SERVICES, and reads the settings of no other', async () => {
  const DATABASE_URL = await testDatabaseUrl(`runner_migrate_${randomBytes(2).toString('hex')}`);
  const migrated = ['chat', 'oauth2'];
  for (const name of migrated) onTestFinished(() => dropTestDatabase(databaseUrl(DATABASE_URL, name)));
  const env = { DATABASE_URL, SERVICES: 'gateway,chat,oauth2,realtime', GATEWAY_LISTEN: 'nowhere' };
  await migrateDatabases(env);
  await migrateDatabases(env);
  for (const name of migrated) expect(await migrationsIn(databaseUrl(DATABASE_URL, name))).toBeGreaterThan(0);
  expect(await migrationsIn(databaseUrl(DATABASE_URL, 'auth'))).toBeUndefined();
});

test('invalid settings of all services are reported together, each with its service', async () => {
  const failed = migrateDatabases({ SERVICES: 'chat,media', CHAT_DATABASE_URL: 'nowhere' });
  const problems = await failed.catch((error: Error) =>
    error instanceof ConfigError ? error.problems : [error],
  );
  expect(problems).toEqual([
    expect.stringMatching(/^chat: DATABASE_URL /),
    expect.stringMatching(/^media: DATABASE_URL /),
  ]);
});

/** Undefined if there is no such database. */
async function migrationsIn(database_url: string): Promise<number | undefined> {
  const pool = openPool({ database_url, application_name: 'runner-test' });
  try {
    const { rows } = await pool.query('SELECT count(*)::int AS count FROM schema_migration');
    return rows[0].count;
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_CATALOG_NAME) return undefined;
    throw error;
  } finally {
    await pool.end();
  }
}
