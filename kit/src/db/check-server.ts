import type pg from 'pg';
import { ConfigError } from '../env.ts';
import { poolConfig } from './pool.ts';
import { withClient } from './with-client.ts';

/**
 * Checks that the server at a URL can hold a service's database: that each connection is a session of its own, and
 * that the encoding is UTF-8 (docs/database.md).
 *
 * @throws ConfigError
 */
export async function checkServer(database_url: string): Promise<void> {
  const config = poolConfig({ database_url, application_name: 'migrate' });
  try {
    await withClient(config, async (first) => {
      await checkEncoding(first);
      await withClient(config, (second) => checkSessions(first, second));
    });
  } catch (error) {
    const parameter = /unsupported startup parameter:? "?(\w+)/.exec((error as Error).message)?.[1];
    if (parameter === undefined) throw error;
    throw new ConfigError([
      `DATABASE_URL leads to a pooler that refuses the parameter ${parameter}: set ignore_startup_parameters (docs/database.md#poolers)`,
    ]);
  }
}

async function checkEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const { server_encoding: encoding = '' } = rows[0] ?? {};
  if (encoding === 'UTF8') return;
  throw new ConfigError([
    `DATABASE_URL: the database ${client.database} has the encoding ${encoding}; it must be UTF8 (docs/database.md#encoding)`,
  ]);
}

/** Runs the check several times: a transaction pooler gives one connection to several clients only by chance. */
const ROUNDS = 3;

async function checkSessions(first: pg.Client, second: pg.Client): Promise<void> {
  const [firstPids, secondPids] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < ROUNDS; round++) {
    firstPids.add(await backendPid(first));
    secondPids.add(await backendPid(second));
  }
  if (firstPids.size === 1 && secondPids.size === 1 && firstPids.isDisjointFrom(secondPids)) return;
  throw new ConfigError([
    'DATABASE_URL leads to a pooler that shares server connections between clients from one transaction to the next: it must pool sessions (PgBouncer: pool_mode = session; docs/database.md#poolers)',
  ]);
}

async function backendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
