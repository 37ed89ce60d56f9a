import type { Pool, QueryResult } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.ts';

/** Counting stops here, because it would take ever longer. */
const MAX_COUNT = 10_000;
/** A database that is down or busy must not delay the other metrics. */
const COUNT_TIMEOUT_MS = 1_000;

/**
 * Adds the number of undelivered outbox rows, by table. A scrape counts them; if that fails, the metric has no value.
 */
export function outboxMetrics(registry: Registry, db: Pool, tables: readonly string[]): void {
  if (tables.length === 0) return;
  const counts = tables.map(
    (table) =>
      `(SELECT count(*)::integer FROM (SELECT FROM ${table} LIMIT ${MAX_COUNT}) AS waiting) AS ${table}`,
  );
  type Counts = Record<string, number>;
  const query = { name: 'count_outboxes', text: `SELECT ${counts.join(', ')}` };
  let counting: Promise<QueryResult<Counts>> | undefined;
  /** One query at a time, even if scrapes have given up on it: further ones would use up the service's connections. */
  const count = (): Promise<QueryResult<Counts>> => {
    counting ??= db.query<Counts>(query).finally(() => {
      counting = undefined;
    });
    return counting;
  };
  new Gauge({
    name: 'outbox_waiting',
    help: `Undelivered rows of the outboxes to services and mail servers, ${MAX_COUNT} at most, by table`,
    labelNames: ['outbox'],
    registers: [registry],
    async collect() {
      this.reset();
      const answer = await withTimeout(COUNT_TIMEOUT_MS, count());
      for (const [outbox, rows] of Object.entries(answer?.rows[0] ?? {})) this.set({ outbox }, rows);
    },
  });
}
