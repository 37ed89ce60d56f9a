import { durations, type Observe } from '@gatehouse/kit/metrics/durations';
import type { Registry } from 'prom-client';

/** Finds what counts the requests of a route. */
export type RequestDurations = (route: string) => (method: string, status: number, ms: number) => void;

/** How long requests took. The route is a pattern: a path may hold a credential. */
export function requestDurations(registry: Registry): RequestDurations {
  const observer = durations(registry, {
    name: 'http_server_request_duration_seconds',
    help: 'How long requests took, by method, route and status',
    labels: ['method', 'route', 'status'],
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
