import pg from 'pg';
import type { Logger } from '../log.ts';
import { limitStatements } from './limit-statements.ts';
import { removePgVariables } from './pg-variables.ts';
import { CONNECTION_OPTIONS } from './with-client.ts';

export interface PoolOptions {
  readonly database_url: string;
  /** The service's name, for pg_stat_activity. */
  readonly application_name: string;
  /** Maximum connections of this process. Default: 10. */
  readonly max?: number;
  /** The server cancels a statement after this time. Default: 10 s. */
  readonly statement_timeout_ms?: number;
  readonly log?: Logger;
}

const STATEMENT_TIMEOUT_MS = 10_000;
/** The client waits this much longer than the server's timeout, then gives the server up as lost. */
const CLIENT_TIMEOUT_MARGIN_MS = 2_000;

/**
 * Plans a statement once per connection. By default PostgreSQL plans look-ups of a few keys anew each time, which
 * takes longer than the look-up. So no statement may need different plans for different values.
 *
 * A plan lasts until the table is analyzed. One that was made while the table was small would read all of it, a minute
 * after it has grown; so a table is read along an index wherever there is one. The rows of a look-up are few and mostly
 * in memory, so an index scan is faster than the bitmap that PostgreSQL prefers by its cost for a slow disk.
 *
 * Just-in-time compilation takes longer than any statement here. Before version 18, PostgreSQL compiles every plan with a
 * disabled scan, whose cost is then very high.
 */
const PLAN_SETTINGS = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'random_page_cost=1.1',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** Options of each connection of a pool. */
export function poolConfig(options: PoolOptions): pg.PoolConfig & { readonly query_timeout: number } {
  const statement_timeout = options.statement_timeout_ms ?? STATEMENT_TIMEOUT_MS;
  return {
    connectionString: options.database_url,
    application_name: options.application_name,
    options: PLAN_SETTINGS,
    statement_timeout,
    query_timeout: statement_timeout + CLIENT_TIMEOUT_MARGIN_MS,
    // A transaction whose owner hangs must not hold its locks forever.
    idle_in_transaction_session_timeout: 30_000,
    // A call that gets no connection fails after this time instead of waiting for its deadline.
    ...CONNECTION_OPTIONS,
  };
}

/** Opens a pool that outlives its server: broken connections are dropped, and the next query opens a new one. */
export function openPool(options: PoolOptions): pg.Pool {
  removePgVariables();
  const { query_timeout, ...config } = poolConfig(options);
  const pool = new pg.Pool({ ...config, max: options.max ?? 10 });
  limitStatements(pool, query_timeout, () =>
    options.log?.warn('a connection is closed: the database has not answered a statement in time'),
  );
  pool.on('error', (error) => options.log?.warn({ err: error }, 'lost an idle database connection'));
  // A connection may also break between two queries of a transaction. The next query reports it; an unhandled 'error'
  // event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The URL of a service's own database: the URL's database name (`gatehouse` by default), `_`, and the service. */
export function databaseUrl(serverUrl: string, service: string): string {
  const url = new URL(serverUrl);
  const base = url.pathname.slice(1) || 'gatehouse';
  url.pathname = `/${base}_${service.replaceAll('-', '_')}`;
  return url.href;
}
