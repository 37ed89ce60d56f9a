import type { Growth } from '../metrics/process-samples.ts';
import { type Buckets, quantile } from '../metrics/quantile.ts';
import { DENIALS, EVENT_LAG, REQUESTS, WEBHOOK_EXECUTIONS } from '../metrics/wanted.ts';

/** What happened on a route, per second. */
export class RouteGrowth {
  requests = 0;
  errors = 0;
  /** By upper bound in seconds, cumulative. */
  readonly buckets = new Map<number, number>();
}

/** Rates of one step, summed over the processes. */
export class StepGrowth {
  /** Whether an edge was read: without one the requests are unknown. */
  has_edge = false;
  /** Whether a process of webhook-delivery was read. */
  has_webhooks = false;
  requests = 0;
  errors = 0;
  /** Messages that webhooks posted. */
  posted = 0;
  /** By bucket. */
  readonly denied = new Map<string, number>();
  /** By method and pattern, such as "GET /guilds/{guild_id}". */
  readonly routes = new Map<string, RouteGrowth>();
  readonly event_lag = new Map<number, number>();

  /** Adds what a process counted in this many seconds. */
  add(growths: readonly Growth[], seconds: number): void {
    for (const { series, by } of growths) this.#add(series.name, series.labels, by / seconds);
  }

  #add(name: string, labels: ReadonlyMap<string, string>, rate: number): void {
    if (name === `${REQUESTS}_bucket`) increase(this.#route(labels).buckets, boundOf(labels), rate);
    else if (name === `${REQUESTS}_count`) this.#addRequests(labels, rate);
    else if (name === DENIALS) increase(this.denied, labels.get('bucket') ?? '', rate);
    else if (name === WEBHOOK_EXECUTIONS) this.posted += labels.get('outcome') === 'posted' ? rate : 0;
    else if (name === `${EVENT_LAG}_bucket`) increase(this.event_lag, boundOf(labels), rate);
  }

  #addRequests(labels: ReadonlyMap<string, string>, rate: number): void {
    const route = this.#route(labels);
    const isError = (labels.get('status') ?? '').startsWith('5');
    for (const counts of [this, route]) {
      counts.requests += rate;
      if (isError) counts.errors += rate;
    }
  }

  #route(labels: ReadonlyMap<string, string>): RouteGrowth {
    const name = `${labels.get('method') ?? ''} ${labels.get('route') ?? ''}`;
    let route = this.routes.get(name);
    if (route === undefined) {
      route = new RouteGrowth();
      this.routes.set(name, route);
    }
    return route;
  }
}

/** Milliseconds below which this share is; null without observations. */
export function quantileMs(share: number, buckets: Buckets): number | null {
  const seconds = quantile(share, buckets);
  return seconds === undefined ? null : rounded(seconds * 1000);
}

/** A few digits: an answer has thousands of numbers. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export function increase<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function boundOf(labels: ReadonlyMap<string, string>): number {
  const le = labels.get('le') ?? '';
  return le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
}
