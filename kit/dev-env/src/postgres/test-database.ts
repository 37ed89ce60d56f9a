import { createHash, randomBytes } from 'node:crypto';
import { inMaintenanceDatabase } from '@gatehouse/kit/db/create-database';
import { migrate } from '@gatehouse/kit/db/migrate';
import { readMigrations } from '@gatehouse/kit/db/migrations';
import pg from 'pg';

export interface TestDatabase {
  readonly database_url: string;
  drop(): Promise<void>;
}

/** The URL of the run's global setup, and the prefix of its databases' names (../global-setup.ts). */
export const RUN_URL = 'GATEHOUSE_TEST_RUN_URL';
export const RUN_PREFIX = 'GATEHOUSE_TEST_RUN_PREFIX';

/**
 * Creates a migrated database on the run's server, for one test file.
 *
 * @param name for people who look at the server; need not be unique
 */
export async function testDatabase(migrationsDir: string, name: string): Promise<TestDatabase> {
  const database_url = await testDatabaseUrl(name);
  await cloneDatabase(migrationsDir, database_url);
  return { database_url, drop: () => dropTestDatabase(database_url) };
}

/**
 * Creates the database that a URL names. Its migrations run once per server, in a template that is cloned in some 100
 * ms.
 */
export async function cloneDatabase(migrationsDir: string, database_url: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(database_url).pathname.slice(1));
  const template = await migratedTemplate(database_url, migrationsDir);
  await inMaintenanceDatabase(database_url, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`),
  );
}

/** Drops the database that a URL names, despite open connections. */
export async function dropTestDatabase(database_url: string): Promise<void> {
  const name = pg.escapeIdentifier(new URL(database_url).pathname.slice(1));
  await inMaintenanceDatabase(database_url, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  );
}

/** The URL of a database that does not exist yet, for tests that create it. */
export async function testDatabaseUrl(name: string): Promise<string> {
  return newDatabaseUrl(await testServer(), name);
}

/** The same on another server. */
export function newDatabaseUrl(server: string, name: string): string {
  return withDatabase(server, databaseName(name));
}

/** The run's only server; the global setup starts it on first use. */
export async function testServer(): Promise<string> {
  const run = process.env[RUN_URL];
  if (run === undefined)
    throw new Error('tests need the global setup of vitest.config.ts to be run by vitest');
  const response = await fetch(`${run}/postgres`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Several workers may need the same template at once: the first creates it, the others wait. */
async function migratedTemplate(server: string, dir: string): Promise<string> {
  const migrations = await readMigrations(dir);
  const content = migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n');
  const template = `${runPrefix()}template_${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
  await inMaintenanceDatabase(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
    if (await isTemplate(client, template)) return;
    await client.query(`DROP DATABASE IF EXISTS ${template}`); // A killed worker may have left it half done.
    await client.query(`CREATE DATABASE ${template}`);
    await migrate({ database_url: withDatabase(server, template), dir });
    await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  });
  return template;
}

async function isTemplate(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
    name,
  ]);
  return rowCount === 1;
}

function databaseName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 24);
  return `${runPrefix()}${plain}_${randomBytes(4).toString('hex')}`;
}

function runPrefix(): string {
  return process.env[RUN_PREFIX] ?? '';
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
