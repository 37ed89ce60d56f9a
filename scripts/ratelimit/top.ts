import { setInterval } from 'node:timers/promises';
import type { GetStatisticsResponse } from '@gatehouse/proto/ratelimit';
import { textTable } from '../routes/text-table.ts';
import type { TopOptions } from './arguments.ts';
import { PATIENCE, type Peer } from './check.ts';
import { type Rates, ratesBetween } from './rates.ts';
import { count, duration, say } from './say.ts';

const EVERY_MS = 1_000;
const CLEAR = '\u001b[H\u001b[J';

/** Shows the service's statistics each second until it is interrupted; with `once`, one time. */
export async function top(peer: Peer, { json, once }: TopOptions): Promise<void> {
  if (once) {
    show(await peer.getStatistics({}, PATIENCE), undefined, json);
    return;
  }
  const leave = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave.abort());
  try {
    await showEachSecond(peer, json, leave.signal);
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  }
}

async function showEachSecond(peer: Peer, json: boolean, signal: AbortSignal): Promise<void> {
  const ask = async () => {
    const statistics = await peer.getStatistics({}, { ...PATIENCE, signal });
    return { at_ms: performance.now(), statistics };
  };
  let sample = await ask();
  show(sample.statistics, undefined, json);
  for await (const _ of setInterval(EVERY_MS, undefined, { signal })) {
    const earlier = sample;
    sample = await ask();
    show(sample.statistics, ratesBetween(earlier, sample), json);
  }
}

function show(statistics: GetStatisticsResponse, rates: Rates | undefined, json: boolean): void {
  if (json) {
    const { buckets, ...totals } = statistics;
    say(JSON.stringify({ ...totals, checks_per_second: rates?.checks ?? null, buckets }));
    return;
  }
  const page = `${summary(statistics, rates)}\n\n${table(statistics, rates)}`;
  say(process.stdout.isTTY && rates !== undefined ? CLEAR + page : page);
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
function table({ buckets }: GetStatisticsResponse, rates: Rates | undefined): string {
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
