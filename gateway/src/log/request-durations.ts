import { durations, type Observe } from '@gatehouse/kit/metrics/durations';
import type { Registry } from 'prom-client';

/** Returns the function that counts the requests of a route. */
export type RequestDurations = (route: string) => (method: string, status: number, ms: number) => void;

/** Few: each route has one series per bucket and status, which are 8 KB of a scrape for six statuses. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The duration of requests. The route is a pattern: a path may hold a credential. */
export function requestDurations(registry: Registry): RequestDurations {
  const observer = durations(registry, {
    name: 'http_server_request_duration_seconds',
    help: 'How long requests took, by method, route and status',
    labels: ['method', 'route', 'status'],
    buckets_seconds: BUCKETS_SECONDS,
  });
  return (route) => {
    const observers = new Map<string, Observe[]>(); // Node's parser knows some forty methods
    return (method, status, ms) => {
      let byStatus = observers.get(method);
      if (byStatus === undefined) {
        byStatus = [];
        observers.set(method, byStatus);
      }
      const observe = byStatus[status] ?? observer({ method, route, status: String(status) });
      byStatus[status] = observe;
      observe(ms);
    };
  };
}
