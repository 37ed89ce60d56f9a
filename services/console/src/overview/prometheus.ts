import type { Logger } from '@gatehouse/kit/log';
import { DENIALS, REQUESTS } from '../metrics/wanted.ts';
import { rounded } from './growths.ts';
import type { OverviewSeries, Values } from './history.ts';
import { queryRange, type Range, type RangeSeries } from './query-range.ts';

/** Windows that need Prometheus, with the length of a step in seconds. */
const WINDOWS = {
  '6h': { hours: 6, step_s: 60 },
  '1d': { hours: 24, step_s: 240 },
  '7d': { hours: 168, step_s: 1_680 },
} as const;
export type LongWindow = keyof typeof WINDOWS;

export function isLongWindow(text: string): text is LongWindow {
  return Object.hasOwn(WINDOWS, text);
}

/** The series of a window, or why there are none. */
export interface LongSeries {
  readonly step_ms: number;
  readonly series: OverviewSeries;
  /** For the operator. */
  readonly problem: string | undefined;
}

export interface Prometheus {
  /** Never rejects. */
  series(window: LongWindow, now_ms: number): Promise<LongSeries>;
}

/** A rate needs two scrapes, of which there is one each 15 s. */
const MIN_RATE_S = 60;
/** Routes of an answer: those with the most requests. */
const MAX_ROUTES = 24;
const MAX_BUCKETS = 200;
const NOTHING: OverviewSeries = { times: [], requests: [], errors: [], denied: {}, latency: {} };

/** @param url where Prometheus is, with a user and password if it wants them */
export function openPrometheus(url: string, log: Logger): Prometheus {
  const base = new URL(url);
  return {
    series: async (window, now_ms) => {
      const { hours, step_s } = WINDOWS[window];
      const end_s = Math.floor(now_ms / 1000 / step_s) * step_s;
      const range = { start_s: end_s - hours * 3_600 + step_s, end_s, step_s };
      try {
        return { step_ms: step_s * 1000, series: await seriesOf(base, range), problem: undefined };
      } catch (error) {
        log.warn({ err: error }, 'Prometheus does not answer');
        return { step_ms: step_s * 1000, series: NOTHING, problem: noticeOf(base, error) };
      }
    },
  };
}

async function seriesOf(base: URL, range: Range): Promise<OverviewSeries> {
  const ask = (query: string): Promise<RangeSeries[]> => queryRange(base, query, range);
  const window = `[${Math.max(MIN_RATE_S, range.step_s)}s]`;
  const latency = (share: number): string =>
    `histogram_quantile(${share}, sum by (le, method, route) (rate(${REQUESTS}_bucket${window})) and on (method, route) topk(${MAX_ROUTES}, sum by (method, route) (increase(${REQUESTS}_count[${range.end_s - range.start_s}s] @ ${range.end_s}))))`;
  const [requests, errors, denied, p50, p99] = await Promise.all([
    ask(`sum(rate(${REQUESTS}_count${window}))`),
    ask(`sum(rate(${REQUESTS}_count{status=~"5.."}${window}))`),
    ask(`sum by (bucket) (rate(${DENIALS}${window}))`),
    ask(latency(0.5)),
    ask(latency(0.99)),
  ]);
  const { start_s, end_s, step_s } = range;
  const times = Array.from({ length: (end_s - start_s) / step_s + 1 }, (_, step) => start_s + step * step_s);
  const pick = (series: RangeSeries | undefined, factor = 1): Values =>
    times.map((time) => {
      const value = series?.values.get(time);
      return value === undefined || !Number.isFinite(value) ? null : rounded(value * factor);
    });
  const slow = new Map(p99.map((series) => [routeOf(series), series]));
  return {
    times: times.map((time) => time * 1000),
    requests: pick(requests[0]),
    errors: withZeros(pick(errors[0]), requests[0], times),
    denied: Object.fromEntries(
      denied
        .map((series) => [series.labels.bucket ?? '', pick(series)] as const)
        .filter(([, values]) => values.some(Boolean))
        .slice(0, MAX_BUCKETS),
    ),
    latency: Object.fromEntries(
      p50
        .slice(0, MAX_ROUTES)
        .map((series) => [
          routeOf(series),
          { p50_ms: pick(series, 1000), p99_ms: pick(slow.get(routeOf(series)), 1000) },
        ]),
    ),
  };
}

/** No series of errors: there were none while there were requests. */
function withZeros(errors: Values, requests: RangeSeries | undefined, times: readonly number[]): Values {
  return errors.map((value, step) => value ?? (requests?.values.has(times[step] ?? 0) ? 0 : null));
}

function routeOf({ labels }: RangeSeries): string {
  return `${labels.method ?? ''} ${labels.route ?? ''}`;
}

function noticeOf({ host }: URL, error: unknown): string {
  return `Prometheus at ${host} (PROMETHEUS_URL) does not answer: ${reasonOf(error)}.`;
}

/** The cause of undici's "fetch failed" is the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it takes longer than 5 s';
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
