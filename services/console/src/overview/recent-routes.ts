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
const MAX_ROUTES = 300;

/** The routes in the last 60 steps. */
export class RecentRoutes {
  readonly #steps: ReadonlyMap<string, RouteGrowth>[] = [];

  add({ routes }: StepGrowth): void {
    this.#steps.push(new Map([...routes].slice(0, MAX_ROUTES)));
    if (this.#steps.length > STEPS) this.#steps.shift();
  }

  /** The busiest first. */
  list(): RouteNow[] {
    const sums = new Map<string, RouteGrowth>();
    for (const step of this.#steps) for (const [route, growth] of step) addTo(sums, route, growth);
    const steps = this.#steps.length;
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
