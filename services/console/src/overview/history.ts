import { quantileMs, rounded, type StepGrowth } from './growths.ts';

/** A value for each step; null where there is none. */
export type Values = readonly (number | null)[];

/** Series of an overview. All have a value for each time. */
export interface OverviewSeries {
  /** Ends of the steps, in milliseconds since the Unix epoch. */
  readonly times: readonly number[];
  /** Per second. */
  readonly requests: Values;
  readonly errors: Values;
  /** Per second, by bucket. */
  readonly denied: Readonly<Record<string, Values>>;
  readonly latency: Readonly<Record<string, { readonly p50_ms: Values; readonly p99_ms: Values }>>;
}

/** An hour of steps of five seconds. */
export const MAX_STEPS = 720;
const KEPT_MS = 3_600_000;
/** Beyond these numbers, names are not told apart: they share one series. */
const MAX_ROUTES = 300;
const MAX_BUCKETS = 200;
const REST = '(other)';
/** Routes of an answer: the busiest, and the slowest of the others. */
const BUSIEST = 16;
const SLOWEST = 8;

interface Latency {
  readonly p50_ms: Float64Array;
  readonly p99_ms: Float64Array;
  /** Requests of all steps, to find the busiest. */
  readonly requests: Float64Array;
}

/** The last hour, in arrays of fixed size: a step takes the place of the oldest. */
export class History {
  readonly #times = empty();
  readonly #requests = empty();
  readonly #errors = empty();
  readonly #denied = new Map<string, Float64Array>();
  readonly #latency = new Map<string, Latency>();
  #next = 0;
  #count = 0;

  add(at_ms: number, step: StepGrowth): void {
    const at = this.#next;
    this.#next = (at + 1) % MAX_STEPS;
    this.#count = Math.min(this.#count + 1, MAX_STEPS);
    this.#times[at] = at_ms;
    this.#requests[at] = step.requests;
    this.#errors[at] = step.errors;
    for (const values of this.#denied.values()) values[at] = 0;
    for (const [bucket, rate] of step.denied) this.#addDenied(bucket, at, rate);
    for (const { p50_ms, p99_ms, requests } of this.#latency.values()) {
      p50_ms[at] = Number.NaN;
      p99_ms[at] = Number.NaN;
      requests[at] = 0;
    }
    for (const [route, { requests, buckets }] of step.routes) {
      const latency = this.#latencyOf(route);
      latency.p50_ms[at] = quantileMs(0.5, buckets) ?? Number.NaN;
      latency.p99_ms[at] = quantileMs(0.99, buckets) ?? Number.NaN;
      latency.requests[at] = (latency.requests[at] ?? 0) + requests;
    }
  }

  /** The newest steps. */
  series(now_ms: number, max_steps = MAX_STEPS): OverviewSeries {
    const steps = this.#steps(now_ms).slice(-max_steps);
    const pick = (values: Float64Array): Values =>
      steps.map((at) => {
        const value = values[at] ?? Number.NaN;
        return Number.isNaN(value) ? null : rounded(value);
      });
    const denied = [...this.#denied].map(([bucket, values]) => [bucket, pick(values)] as const);
    return {
      times: steps.map((at) => this.#times[at] ?? 0),
      requests: pick(this.#requests),
      errors: pick(this.#errors),
      denied: Object.fromEntries(denied.filter(([, values]) => values.some(Boolean))),
      latency: Object.fromEntries(
        this.#shownRoutes(steps).map(([route, { p50_ms, p99_ms }]) => [
          route,
          { p50_ms: pick(p50_ms), p99_ms: pick(p99_ms) },
        ]),
      ),
    };
  }

  /** The places of the last hour's steps, oldest first. */
  #steps(now_ms: number): number[] {
    const first = (this.#next - this.#count + MAX_STEPS) % MAX_STEPS;
    const all = Array.from({ length: this.#count }, (_, index) => (first + index) % MAX_STEPS);
    return all.filter((at) => (this.#times[at] ?? 0) > now_ms - KEPT_MS);
  }

  #shownRoutes(steps: readonly number[]): [string, Latency][] {
    const sum = ({ requests }: Latency) => steps.reduce((total, at) => total + (requests[at] ?? 0), 0);
    const slowest = ({ p99_ms }: Latency) =>
      steps.reduce((most, at) => Math.max(most, Number.isNaN(p99_ms[at]) ? 0 : (p99_ms[at] ?? 0)), 0);
    const byRequests = [...this.#latency]
      .map((entry) => ({ entry, requests: sum(entry[1]) }))
      .filter(({ requests }) => requests > 0)
      .toSorted((one, other) => other.requests - one.requests)
      .map(({ entry }) => entry);
    const rest = byRequests.slice(BUSIEST).map((entry) => ({ entry, ms: slowest(entry[1]) }));
    const slow = rest.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
    return [...byRequests.slice(0, BUSIEST), ...slow.map(({ entry }) => entry)];
  }

  #addDenied(bucket: string, at: number, rate: number): void {
    const name = this.#denied.has(bucket) || this.#denied.size < MAX_BUCKETS ? bucket : REST;
    const values = this.#denied.get(name) ?? empty().fill(0);
    this.#denied.set(name, values);
    values[at] = (values[at] ?? 0) + rate;
  }

  #latencyOf(route: string): Latency {
    const name = this.#latency.has(route) || this.#latency.size < MAX_ROUTES ? route : REST;
    let latency = this.#latency.get(name);
    if (latency === undefined) {
      latency = { p50_ms: empty(), p99_ms: empty(), requests: empty().fill(0) };
      this.#latency.set(name, latency);
    }
    return latency;
  }
}

function empty(): Float64Array {
  return new Float64Array(MAX_STEPS).fill(Number.NaN);
}
