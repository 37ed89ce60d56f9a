/** A request that was answered lately. */
export interface RecentRequest {
  readonly request_id: string;
  readonly at_ms: number;
  readonly status: number;
  readonly ms: number;
}

/** A route of the API and its requests of the last minutes. */
export interface RouteStatistics {
  /** Such as "POST /webhooks/{webhook_id}/{webhook_token}". */
  readonly route: string;
  /** Per second. */
  readonly rate: number;
  /** Per second. */
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  readonly recent: readonly RecentRequest[];
}

/** The columns by which routes are sorted. */
export const SORTS = ['rate', 'errors', 'p50_ms', 'p99_ms', 'route'] as const;

export type RouteSort = (typeof SORTS)[number];

/** The sort of an address; by rate if it names none. */
export function sortOf(text: string | null): RouteSort {
  return SORTS.find((sort) => sort === text) ?? 'rate';
}

/** Names ascend; numbers descend, the unknown at the end. Equal ones are in the order of their names. */
export function sortRoutes(routes: readonly RouteStatistics[], by: RouteSort): RouteStatistics[] {
  const byName = (a: RouteStatistics, b: RouteStatistics) => (a.route < b.route ? -1 : 1);
  if (by === 'route') return [...routes].sort(byName);
  return [...routes].sort((a, b) => (b[by] ?? -1) - (a[by] ?? -1) || byName(a, b));
}
