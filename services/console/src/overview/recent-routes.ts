import { increase, quantileMs, RouteGrowth, rounded, type StepGrowth } from './growths.ts';

/** A route in the last minutes. */
export interface RouteNow {
  readonly route: string;
  /** Per second. */
  readonly rate: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

/** Steps of the average: at least five minutes. */
const STEPS = 60;
/** Longer than so many steps take: without an edge, there are no new ones. */
const KEPT_MS = 16 * 60_000;
const MAX_ROUTES = 300;

interface Step {
  readonly at_ms: number;
  readonly routes: ReadonlyMap<string, RouteGrowth>;
}

/** The routes in the last 60 steps. */
export class RecentRoutes {
  readonly #steps: Step[] = [];

  add(at_ms: number, { routes }: StepGrowth): void {
    this.#steps.push({ at_ms, routes: new Map([...routes].slice(0, MAX_ROUTES)) });
    if (this.#steps.length > STEPS) this.#steps.shift();
  }

  /** The busiest first. */
  list(now_ms: number): RouteNow[] {
    const recent = this.#steps.filter(({ at_ms }) => at_ms > now_ms - KEPT_MS);
    const sums = new Map<string, RouteGrowth>();
    for (const { routes } of recent) for (const [route, growth] of routes) addTo(sums, route, growth);
    const steps = recent.length;
    return [...sums]
      .toSorted(([, one], [, other]) => other.requests - one.requests)
      .map(([route, { requests, errors, buckets }]) => ({
        route,
        rate: rounded(requests / steps),
        errors: rounded(errors / steps),
        p50_ms: quantileMs(0.5, buckets),
        p99_ms: quantileMs(0.99, buckets),
      }));
  }
}

function addTo(sums: Map<string, RouteGrowth>, route: string, growth: RouteGrowth): void {
  const sum = sums.get(route) ?? new RouteGrowth();
  sums.set(route, sum);
  sum.requests += growth.requests;
  sum.errors += growth.errors;
  for (const [bound, count] of growth.buckets) increase(sum.buckets, bound, count);
}
