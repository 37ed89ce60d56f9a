import type { Registry } from 'prom-client';
import { statementLabels } from '../db/statement-label.ts';
import type { WatchQuery } from '../db/watch-queries.ts';
import { durations, type Observe } from './durations.ts';

/** Fewer buckets than for requests, because a service has a hundred statements. The alert DatabaseSlow needs 0.1. */
const QUERY_BUCKETS_SECONDS = [0.001, 0.0025, 0.01, 0.05, 0.1, 0.25, 1, 5];

/** Records how long statements take, from being sent. */
export function queryMetrics(registry: Registry): WatchQuery {
  const labelOf = statementLabels();
  const observer = durations(registry, {
    name: 'db_query_duration_seconds',
    help: 'Duration of statements in the database, by name',
    labels: ['statement'],
    buckets_seconds: QUERY_BUCKETS_SECONDS,
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
