import type { Series } from '../charts/series.ts';
import type { Overview } from './snapshot.ts';

type Latency = Overview['latency'];

/**
 * The overview with a newer step at its end. Steps before the window go. Latencies that one of them lacks are null there, denials are 0.
 * A step that is there already is replaced.
 */
export function appendStep(overview: Overview, step: Overview, window_ms: number): Overview {
  const first = step.times[0];
  if (first === undefined) return { ...overview, ...step, ...seriesOf(overview) };
  const kept = overview.times.filter((time) => time < first && time > first - window_ms);
  const from = overview.times.length - overview.times.filter((time) => time > first - window_ms).length;
  const join = (before?: Series, after?: Series, missing: number | null = null): Series => [
    ...filled(before?.slice(from), kept.length, missing),
    ...filled(after, step.times.length, missing),
  ];
  return {
    ...step,
    prometheus: overview.prometheus,
    times: [...kept, ...step.times],
    requests: join(overview.requests, step.requests),
    errors: join(overview.errors, step.errors),
    denied: joinAll(overview.denied, step.denied, (before, after) => join(before, after, 0)),
    latency: joinLatency(overview.latency, step.latency, join),
  };
}

function seriesOf({ times, requests, errors, denied, latency, prometheus }: Overview): Partial<Overview> {
  return { times, requests, errors, denied, latency, prometheus };
}

/** As many values; those of no series at all are `missing`. */
function filled(series: Series | undefined, length: number, missing: number | null): Series {
  return Array.from({ length }, (_, index) => (series === undefined ? missing : (series[index] ?? null)));
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
