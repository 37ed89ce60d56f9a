import type { Registry } from 'prom-client';
import { statementLabels } from '../db/statement-label.ts';
import type { WatchQuery } from '../db/watch-queries.ts';
import { durations, type Observe } from './durations.ts';

/** Fewer than of requests: a service has a hundred statements. 0.1 is what DatabaseSlow asks for. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.01, 0.05, 0.1, 0.25, 1, 5];

/** How long statements took, from when they were sent. */
export function queryMetrics(registry: Registry): WatchQuery {
  const labelOf = statementLabels();
  const observer = durations(registry, {
    name: 'db_query_duration_seconds',
    help: 'How long the database took for a statement, by its name',
    labels: ['statement'],
    buckets_seconds: BUCKETS_SECONDS,
  });
  const observers = new Map<string, Observe>();
  return (query) => {
    const statement = labelOf(query);
    const observe = observers.get(statement) ?? observer({ statement });
    observers.set(statement, observe);
    const sentAt = performance.now();
    return () => observe(performance.now() - sentAt);
  };
}
