import { testDataFolder } from '@gatehouse/dev-env/data-folder';
import { startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { afterAll, beforeAll } from 'vitest';

/** A database server for the test's stacks, which the test can query. */
export interface OpenDatabase {
  readonly url: string;
  /** One statement in a service's own database. */
  query(service: string, sql: string, values: unknown[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a server before the file's tests and closes it after them. Call it before `useStack`, so that the stack
 * closes first.
 *
 * @param settings additional ones, as in postgresql.conf
 */
export function useDatabase(settings: Readonly<Record<string, string>> = {}): Omit<OpenDatabase, 'close'> {
  let opened: OpenDatabase | undefined;
  beforeAll(async () => {
    opened = await openDatabase(settings);
  });
  afterAll(() => opened?.close());
  const database = (): OpenDatabase => {
    if (opened === undefined) throw new Error('the database is not running');
    return opened;
  };
  return {
    get url() {
      return database().url;
    },
    query: (...statement) => database().query(...statement),
  };
}

export async function openDatabase(settings: Readonly<Record<string, string>> = {}): Promise<OpenDatabase> {
  const folder = await testDataFolder('e2e-database');
  const server = await startEmbeddedPostgres({ dataDir: folder.path, settings });
  return {
    url: server.url,
    query: (service, sql, values) => queryOnce(databaseUrl(server.url, service), sql, values),
    close: async () => {
      await server.close();
      await folder.remove();
    },
  };
}

/** Runs one statement on a new connection. */
export async function queryOnce(database_url: string, sql: string, values: unknown[]): Promise<void> {
  const pool = openPool({ database_url, application_name: 'test', max: 1 });
  try {
    await pool.query(sql, values);
  } finally {
    await pool.end();
  }
}
