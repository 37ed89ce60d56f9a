import type { Series } from '../charts/series.ts';
import type { Overview } from './snapshot.ts';

type Latency = Overview['latency'];

/**
 * The overview with a newer step at its end. Steps before the window go. Series that one of them lacks are null there.
 * A step that is there already is replaced.
 */
export function appendStep(overview: Overview, step: Overview, window_ms: number): Overview {
  const first = step.times[0];
  if (first === undefined) return { ...overview, ...step, ...seriesOf(overview) };
  const kept = overview.times.filter((time) => time < first && time > first - window_ms);
  const from = overview.times.length - overview.times.filter((time) => time > first - window_ms).length;
  const join = (before: Series | undefined, after: Series | undefined): Series => [
    ...filled(before?.slice(from), kept.length),
    ...filled(after, step.times.length),
  ];
  return {
    ...step,
    prometheus: overview.prometheus,
    times: [...kept, ...step.times],
    requests: join(overview.requests, step.requests),
    errors: join(overview.errors, step.errors),
    denied: joinAll(overview.denied, step.denied, join),
    latency: joinLatency(overview.latency, step.latency, join),
  };
}

function seriesOf({ times, requests, errors, denied, latency, prometheus }: Overview): Partial<Overview> {
  return { times, requests, errors, denied, latency, prometheus };
}

/** As many values: the others are unknown. */
function filled(series: Series | undefined, length: number): Series {
  return Array.from({ length }, (_, index) => series?.[index] ?? null);
}

function joinAll<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  join: (before: T | undefined, after: T | undefined) => T,
): Record<string, T> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...names].map((name) => [name, join(before[name], after[name])]));
}

function joinLatency(before: Latency, after: Latency, join: (a?: Series, b?: Series) => Series): Latency {
  return joinAll(before, after, (a, b) => ({
    p50_ms: join(a?.p50_ms, b?.p50_ms),
    p99_ms: join(a?.p99_ms, b?.p99_ms),
  }));
}
