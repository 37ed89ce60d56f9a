import pg from 'pg';
import type { Logger } from '../log.ts';
import { forgetPgVariables } from './pg-variables.ts';
import { CONNECTING } from './with-client.ts';

export interface PoolOptions {
  readonly database_url: string;
  /** Shown in pg_stat_activity: the service's name. */
  readonly application_name: string;
  /** Connections of this process; 10 unless given. */
  readonly max?: number;
  /** The server ends a statement after this long; 10 s unless given. */
  readonly statement_timeout_ms?: number;
  readonly log?: Logger;
}

const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that is lost without a word answers nothing: a statement is given up so long after it should have ended. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * A statement is planned once a connection. PostgreSQL's own choice is to plan look-ups of a few keys anew
 * each time, which takes longer than the look-up; so no statement may want another plan for other values.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

/** What each connection of a pool is opened with. */
export function poolConfig(options: PoolOptions): pg.PoolConfig {
  const statement_timeout = options.statement_timeout_ms ?? STATEMENT_TIMEOUT_MS;
  return {
    connectionString: options.database_url,
    application_name: options.application_name,
    options: PLANNED_ONCE,
    statement_timeout,
    query_timeout: statement_timeout + ANSWER_WITHIN_MS,
    // A transaction whose owner hangs must not hold its locks for ever.
    idle_in_transaction_session_timeout: 30_000,
    // A call that finds no connection gets an error, too, instead of waiting for its deadline.
    ...CONNECTING,
  };
}

/** A pool that outlives its server: broken connections are dropped, and the next query opens one. */
export function openPool(options: PoolOptions): pg.Pool {
  forgetPgVariables();
  const pool = new pg.Pool({ ...poolConfig(options), max: options.max ?? 10 });
  pool.on('error', (error) => options.log?.warn({ err: error }, 'lost an idle database connection'));
  // A connection may also break between two queries of a transaction. The next query reports it; an
  // 'error' event that nobody hears would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A service's own database on a server: the URL's database name (`gatehouse` if none), `_`, the service. */
export function databaseUrl(serverUrl: string, service: string): string {
  const url = new URL(serverUrl);
  const base = url.pathname.slice(1) || 'gatehouse';
  url.pathname = `/${base}_${service.replaceAll('-', '_')}`;
  return url.href;
}
