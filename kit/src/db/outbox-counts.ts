import type { Pool } from 'pg';
import { SNOWFLAKE_EPOCH_MS } from '../snowflake.ts';
import { withTimeout } from '../with-timeout.ts';

/** The table of an outbox. The SQL is from code and never from a request. */
export interface OutboxTable {
  readonly table: string;
  /** SQL: since when a row waits. Default: `next_attempt_at`, when it was due first or is due again. */
  readonly since?: string;
  /** SQL condition for rows that wait. Default: all. */
  readonly where?: string;
}

export interface OutboxCount {
  /** Rows that wait: 10,000 at most. */
  readonly waiting: number;
  /** Age of the oldest of them; undefined if none waits. */
  readonly oldest_ms: number | undefined;
}

/** Counts the rows that wait, by table. Resolves to undefined if the database does not answer in time. */
export type CountOutboxes = () => Promise<ReadonlyMap<string, OutboxCount> | undefined>;

/** Counting stops here, because it would take ever longer. */
export const MAX_COUNT = 10_000;
/** A database that is down or busy must not delay the rest of an answer. */
const COUNT_TIMEOUT_MS = 1_000;

/** SQL: the time of the snowflake in a column. */
export function snowflakeColumnTime(column: string): string {
  return `to_timestamp(((${column} >> 22) + ${SNOWFLAKE_EPOCH_MS}) / 1000.0)`;
}

/** A table by its name has the defaults. */
export function outboxCounts(db: Pool, outboxes: readonly (string | OutboxTable)[]): CountOutboxes {
  const tables = outboxes.map((outbox) => (typeof outbox === 'string' ? { table: outbox } : outbox));
  if (tables.length === 0) return async () => new Map();
  type Row = { outbox: string; waiting: number; oldest_ms: number | null };
  const query = { name: 'count_outboxes', text: tables.map(statement).join(' UNION ALL ') };
  let counting: Promise<Row[]> | undefined;
  /** One query at a time, even if nobody waits for it any more: further ones would use up the service's connections. */
  const count = (): Promise<Row[]> => {
    counting ??= db
      .query<Row>(query)
      .then(({ rows }) => rows)
      .finally(() => {
        counting = undefined;
      });
    return counting;
  };
  return async () => {
    const rows = await withTimeout(COUNT_TIMEOUT_MS, count());
    return (
      rows &&
      new Map(
        rows.map(({ outbox, waiting, oldest_ms }) => [
          outbox,
          { waiting, oldest_ms: oldest_ms === null ? undefined : Math.max(0, Math.round(oldest_ms)) },
        ]),
      )
    );
  };
}

function statement({ table, since = 'next_attempt_at', where = 'true' }: OutboxTable): string {
  return `SELECT '${table}' AS outbox, count(*)::integer AS waiting,
                 (extract(epoch FROM now() - min(since)) * 1000)::double precision AS oldest_ms
            FROM (SELECT ${since} AS since FROM ${table} WHERE ${where} LIMIT ${MAX_COUNT}) AS waiting`;
}
