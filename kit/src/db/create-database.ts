import pg from 'pg';
import { ConfigError } from '../env.ts';
import { withClient } from './with-client.ts';

const NO_SUCH_DATABASE = '3D000';
/** SQLSTATEs of the loser of two concurrent creations: the name exists, or violates the catalogue's unique index. */
export const ALREADY_EXISTS = new Set(['42P04', '23505']);

/** Independent of the encoding of the server and of `template1`. */
export const IN_UTF8 = "TEMPLATE template0 ENCODING 'UTF8'";
const INVALID_PARAMETER_VALUE = '22023';

/** @throws ConfigError if the server's locale requires another encoding */
export function throwIfLocaleForbidsUtf8(name: string, error: unknown): void {
  if (sqlStateOf(error) !== INVALID_PARAMETER_VALUE) return;
  throw new ConfigError([
    `DATABASE_URL: the server cannot create the database ${name} in UTF8 (${String(error)}): create it yourself (docs/database.md#encoding)`,
  ]);
}

/** Creates the database that a URL names if it does not exist. Safe to run concurrently. */
export async function createDatabase(database_url: string): Promise<void> {
  if (await databaseExists(database_url)) return;
  const name = decodeURIComponent(new URL(database_url).pathname.slice(1));
  try {
    await inMaintenanceDatabase(database_url, (client) =>
      client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} ${IN_UTF8}`),
    );
  } catch (error) {
    throwIfLocaleForbidsUtf8(name, error);
    if (!ALREADY_EXISTS.has(sqlStateOf(error))) {
      throw new Error(`database ${name} is missing and cannot be created: ${String(error)}`, {
        cause: error,
      });
    }
  }
}

/** Runs an action in the server's maintenance database, `postgres`. */
export function inMaintenanceDatabase<T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ connectionString: maintenanceUrl(url) }, action);
}

/** The URL of the same server's maintenance database, which always exists. */
export function maintenanceUrl(url: string): string {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  return maintenance.href;
}

async function databaseExists(database_url: string): Promise<boolean> {
  try {
    return await withClient({ connectionString: database_url }, async () => true);
  } catch (error) {
    if (sqlStateOf(error) === NO_SUCH_DATABASE) return false;
    throw error;
  }
}

/** The SQLSTATE of an error (PostgreSQL, appendix A); empty if the error is not PostgreSQL's. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
