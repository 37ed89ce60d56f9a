import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CheckSession } from './checks/check-session.ts';
import type { CheckCounts, Statistics } from './statistics.ts';

export interface MetricsOptions {
  readonly statistics: Statistics;
  readonly isStoreUp: () => boolean;
  /** The open streams of checks. */
  readonly checkSessions: ReadonlySet<CheckSession>;
  readonly liveBuckets: () => number;
  /** Buckets that were evicted before they were empty. */
  readonly evictedBuckets: () => number;
}

/** Registers the histogram of the store's answers. Returns the function that observes one. */
export function storeSeconds(registry: Registry): (seconds: number) => void {
  const histogram = new Histogram({
    name: 'ratelimit_store_seconds',
    help: 'The time until the store answered',
    // REDIS_TIMEOUT_MS on a slow network may reach the last bucket; its default is 0.025 s.
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  return (seconds) => histogram.observe(seconds);
}

/**
 * This process's counters, read at each scrape. Labels are names of buckets and of limits of descriptors, and never keys,
 * unless such a limit asks for them.
 */
export function addMetrics(registry: Registry, options: MetricsOptions): void {
  const { statistics, isStoreUp, checkSessions, liveBuckets, evictedBuckets } = options;
  const registers = [registry];

  for (const [what, member, help] of BY_BUCKET) {
    new Counter({
      name: `ratelimit_${what}_total`,
      help,
      labelNames: ['bucket'],
      registers,
      collect() {
        this.reset();
        for (const row of statistics.buckets()) this.inc({ bucket: row.bucket }, row[member]);
      },
    });
  }
  for (const [name, help, member] of TOTALS) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(statistics.counts()[member]);
      },
    });
  }
  new Counter({
    name: 'ratelimit_evicted_buckets_total',
    help: 'Buckets that were evicted from a full store before they were empty',
    registers,
    collect() {
      this.reset();
      this.inc(evictedBuckets());
    },
  });
  new Gauge({
    name: 'ratelimit_live_buckets',
    help: 'Buckets held in this process',
    registers,
    collect() {
      this.set(liveBuckets());
    },
  });
  new Gauge({
    name: 'ratelimit_check_streams',
    help: 'Open streams of checks',
    registers,
    collect() {
      this.set(checkSessions.size);
    },
  });
  new Gauge({
    name: 'ratelimit_stream_checks',
    help: 'Checks of streams that are not answered yet',
    registers,
    collect() {
      this.set([...checkSessions].reduce((sum, { size }) => sum + size, 0));
    },
  });
  new Gauge({
    name: 'ratelimit_store_up',
    help: 'Whether the store answers: 1 or 0',
    registers,
    collect() {
      this.set(isStoreUp() ? 1 : 0);
    },
  });
}

const BY_BUCKET = [
  ['charges_admitted', 'admitted', 'Admitted charges, by any decider'],
  ['denials', 'denied', 'Denials that named the bucket'],
  ['shadowed_denials', 'shadowed', 'Denials in shadow mode: the request passed'],
] as const;

const TOTALS: readonly (readonly [name: string, help: string, member: keyof CheckCounts])[] = [
  ['ratelimit_checks_total', 'Checks decided', 'checks'],
  ['ratelimit_degraded_checks_total', 'Checks decided by failure policies', 'degraded'],
  ['ratelimit_remembered_checks_total', 'Checks answered from remembered denials', 'remembered'],
];
