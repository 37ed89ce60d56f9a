import type { Pool, QueryResult } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.ts';

/** The highest count: counting on would take ever longer. */
const MOST = 10_000;
/** A database that is down or busy must not delay the other metrics. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Adds the number of undelivered outbox rows, by table. A scrape counts them; if that fails, the metric has no value.
 */
export function outboxMetrics(registry: Registry, db: Pool, tables: readonly string[]): void {
  if (tables.length === 0) return;
  const counts = tables.map(
    (table) => `(SELECT count(*)::integer FROM (SELECT FROM ${table} LIMIT ${MOST}) AS waiting) AS ${table}`,
  );
  type Counts = Record<string, number>;
  const query = { name: 'count_outboxes', text: `SELECT ${counts.join(', ')}` };
  let asking: Promise<QueryResult<Counts>> | undefined;
  /** One query at a time, even if scrapes have given up on it: more would take the service's own connections. */
  const ask = (): Promise<QueryResult<Counts>> => {
    asking ??= db.query<Counts>(query).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  new Gauge({
    name: 'outbox_waiting',
    help: `Undelivered rows of the outboxes to services and mail servers, ${MOST} at most, by table`,
    labelNames: ['outbox'],
    registers: [registry],
    async collect() {
      this.reset();
      const answer = await withTimeout(ANSWER_WITHIN_MS, ask());
      for (const [outbox, count] of Object.entries(answer?.rows[0] ?? {})) this.set({ outbox }, count);
    },
  });
}
