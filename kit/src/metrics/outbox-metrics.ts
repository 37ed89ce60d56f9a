import type { Pool, QueryResult } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.ts';

/** As far as it counts: to count on would take ever longer. */
const MOST = 10_000;
/** A database that is away or busy must not keep up those who ask for the other metrics. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * What other services are still to be told, by the tables that keep it. Counted when it is asked for; where that
 * fails, it has no value.
 */
export function outboxMetrics(registry: Registry, db: Pool, tables: readonly string[]): void {
  if (tables.length === 0) return;
  const counts = tables.map(
    (table) => `(SELECT count(*)::integer FROM (SELECT FROM ${table} LIMIT ${MOST}) AS waiting) AS ${table}`,
  );
  type Counts = Record<string, number>;
  const query = { name: 'count_outboxes', text: `SELECT ${counts.join(', ')}` };
  let asking: Promise<QueryResult<Counts>> | undefined;
  /** One at a time, however many scrapes have given up on it: the others would take the service's own connections. */
  const ask = (): Promise<QueryResult<Counts>> => {
    asking ??= db.query<Counts>(query).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  new Gauge({
    name: 'outbox_waiting',
    help: `Rows that another service or a mail server is still to be told of, ${MOST} at most, by table`,
    labelNames: ['outbox'],
    registers: [registry],
    async collect() {
      this.reset();
      const answer = await withTimeout(ANSWER_WITHIN_MS, ask());
      for (const [outbox, count] of Object.entries(answer?.rows[0] ?? {})) this.set({ outbox }, count);
    },
  });
}
