import { setInterval } from 'node:timers/promises';
import type { GetStatisticsResponse } from '@gatehouse/proto/ratelimit';
import { count, duration } from '../../output/quantities.ts';
import { textTable } from '../../output/text-table.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { untilInterrupted } from '../../until-interrupted.ts';
import { callRatelimit, RATELIMIT_TIMEOUT, type RatelimitOptions } from './ratelimit-service.ts';
import { type Rates, ratesBetween, type Sample } from './rates.ts';

const SAMPLE_INTERVAL_MS = 1_000;
const CLEAR_SCREEN = '\u001b[H\u001b[J';

export interface TopOptions extends RatelimitOptions {
  readonly once?: boolean;
}

/** Prints the statistics of the service, once or every second until the signal. */
export function top(options: TopOptions, runtime: Runtime): Promise<void> {
  return callRatelimit(options, runtime, async (client) => {
    const call = { ...RATELIMIT_TIMEOUT, signal: runtime.signal };
    const sample = async () => {
      const statistics = await client.getStatistics({}, call);
      return { at_ms: performance.now(), statistics };
    };
    if (options.once) print((await sample()).statistics, undefined, options.json ?? false, runtime);
    else
      await untilInterrupted(() => printEverySecond(sample, options.json ?? false, runtime), runtime.signal);
  });
}

async function printEverySecond(
  sample: () => Promise<Sample>,
  json: boolean,
  runtime: Runtime,
): Promise<void> {
  let later = await sample();
  print(later.statistics, undefined, json, runtime);
  for await (const _ of setInterval(SAMPLE_INTERVAL_MS, undefined, { signal: runtime.signal })) {
    const earlier = later;
    later = await sample();
    print(later.statistics, ratesBetween(earlier, later), json, runtime);
  }
}

function print(
  statistics: GetStatisticsResponse,
  rates: Rates | undefined,
  json: boolean,
  runtime: Runtime,
): void {
  if (json) {
    const { buckets, ...totals } = statistics;
    printLine(runtime, JSON.stringify({ ...totals, checks_per_second: rates?.checks ?? null, buckets }));
    return;
  }
  const page = `${summary(statistics, rates)}\n\n${bucketTable(statistics, rates)}`;
  printLine(runtime, runtime.stdout.isTTY && rates !== undefined ? CLEAR_SCREEN + page : page);
}

function summary(statistics: GetStatisticsResponse, rates: Rates | undefined): string {
  const { store, store_up, uptime_seconds, checks, degraded, remembered, live_buckets } = statistics;
  const pace = rates === undefined ? '' : ` (${count(rates.checks)}/s)`;
  return [
    `${store}, ${store_up ? 'up' : 'DOWN: failure policies decide'}`,
    `running for ${duration(uptime_seconds * 1_000_000)}`,
    `${count(checks)} checks${pace}, ${count(degraded)} degraded, ${count(remembered)} from remembered denials`,
    `buckets in this process: ${count(live_buckets)}`,
  ].join('\n');
}

/** The busiest first. */
function bucketTable({ buckets }: GetStatisticsResponse, rates: Rates | undefined): string {
  const pace = (name: string) => rates?.buckets.get(name) ?? 0;
  const rows = buckets
    .toSorted((a, b) => pace(b.bucket) - pace(a.bucket) || b.admitted + b.denied - (a.admitted + a.denied))
    .map(({ bucket, admitted, denied }) => {
      const share = `${((100 * denied) / Math.max(admitted + denied, 1)).toFixed(1)}%`;
      const cells = [bucket, count(admitted), count(denied), share];
      return rates === undefined ? cells : [...cells, count(pace(bucket))];
    });
  const headings = ['BUCKET', 'ADMITTED', 'DENIED', 'DENIED OF ALL'];
  return textTable([rates === undefined ? headings : [...headings, 'PER SECOND'], ...rows]).trimEnd();
}
