import pg from 'pg';
import { ConfigError } from '../env.ts';
import type { Logger } from '../log.ts';
import { checkServer } from './check-server.ts';
import { createDatabase } from './create-database.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { withClient } from './with-client.ts';

export interface MigrateOptions {
  readonly database_url: string;
  /** Folder of NNNN_what.sql files; others are ignored. */
  readonly dir: string;
  readonly log?: Logger;
}

/** An arbitrary number that every version of every service uses; advisory locks are per database. */
const MIGRATION_LOCK = 4_217_061_995;

/**
 * Creates the database if it does not exist, then runs the pending migrations in order, each in a transaction with
 * its entry in schema_migration. Replicas may run it concurrently: one works, the others wait and find nothing left.
 *
 * @throws ConfigError if the server cannot hold the database (./check-server.ts), or the database has another history
 * @throws Error naming the file that failed, was edited, or is out of order
 */
export async function migrate({ database_url, dir, log }: MigrateOptions): Promise<void> {
  const files = await readMigrations(dir);
  await createDatabase(database_url);
  await checkServer(database_url);
  await withClient({ connectionString: database_url, application_name: 'migrate' }, async (client) => {
    await lockMigrations(client, log);
    await client.query(SCHEMA_MIGRATION_TABLE);
    const pending = await pendingOf(client, files, dir, log);
    for (const file of pending) {
      await apply(client, file);
      log?.info({ migration: file.name }, 'migrated');
    }
  });
}

/** Waits while another migration runs. The session holds the lock, and its end releases it. */
async function lockMigrations(client: pg.Client, log: Logger | undefined): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.mine === true) return;
  log?.info('waiting for another migration');
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
}

/** Creates the table of applied migrations. */
export const SCHEMA_MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

interface Applied {
  readonly name: string;
  readonly checksum: string;
}

async function pendingOf(
  client: pg.Client,
  files: readonly Migration[],
  dir: string,
  log: Logger | undefined,
): Promise<Migration[]> {
  const { rows } = await client.query<Applied>('SELECT name, checksum FROM schema_migration ORDER BY name');
  requireSameBaseline(client, files, rows);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const last = rows.at(-1)?.name ?? '';

  for (const { name } of rows) {
    if (files.some((file) => file.name === name)) continue;
    // During a rollout the newer release migrates first, and the older one keeps running beside it.
    if (numberOf(name) > numberOf(files.at(-1)?.name))
      log?.warn({ migration: name }, 'the database is ahead of this release');
    else throw new Error(`migration ${name} has been applied, but is missing from ${dir}`);
  }
  for (const { name, checksum } of files) {
    const known = applied.get(name);
    if (known !== undefined && known !== checksum) {
      throw new Error(
        `migration ${name} was edited after it had been applied; put the change into a new file`,
      );
    }
    if (known === undefined && name < last) {
      throw new Error(
        `migration ${name} comes before ${last}, which has been applied; give it a higher number`,
      );
    }
  }
  return files.filter(({ name }) => !applied.has(name));
}

/** A database from before the first release has another baseline, and cannot be migrated to a release. */
function requireSameBaseline(
  client: pg.Client,
  [first]: readonly Migration[],
  [applied]: readonly Applied[],
): void {
  if (first === undefined || applied === undefined || first.name === applied.name) return;
  throw new ConfigError([
    `DATABASE_URL: the database ${client.database} was not made by a release: its first migration is ${applied.name}, and must be ${first.name}. Drop it, or name an empty one (docs/database.md#another-history)`,
  ]);
}

function numberOf(name = ''): string {
  return name.slice(0, 4);
}

async function apply(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    const line = lineOf(cause, sql);
    throw new Error(`migration ${name}${line} failed: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return '';
  return `, line ${sql.slice(0, Number(error.position)).split('\n').length},`;
}
