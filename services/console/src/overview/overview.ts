import type { ListedProcesses } from '../jobs/list-jobs.ts';
import type { Collector } from './collector.ts';
import {
  mailQueueOf,
  type PoolState,
  poolsOf,
  type Replica,
  replicasOf,
  sessionsOf,
} from './current-values.ts';
import { MAX_STEPS, type OverviewSeries } from './history.ts';
import type { FoundNoisy, Noisy } from './noisy.ts';
import type { LongWindow, Prometheus } from './prometheus.ts';

/** What runs now, and how it went in a window. */
export interface OverviewAnswer extends OverviewSeries {
  readonly at_ms: number;
  /** Whether windows longer than an hour are available. */
  readonly prometheus: boolean;
  readonly step_ms: number;
  readonly pools: readonly PoolState[];
  readonly sessions: number | null;
  readonly event_delay_ms: number | null;
  /** Messages that webhooks posted, per second of the newest step. */
  readonly webhook_posts: number | null;
  readonly mail_queue: number | null;
  readonly replicas: readonly Replica[];
  readonly noisy: Noisy;
  /** Services that do not answer. */
  readonly unavailable: readonly string[];
  /** What an operator can do to see more. */
  readonly notices: readonly string[];
}

export interface OverviewParts {
  readonly collector: Collector;
  readonly hasMetrics: boolean;
  readonly prometheus: Prometheus | undefined;
  readonly findNoisy: () => Promise<FoundNoisy>;
  /** Shows the processes while their metrics are not read. */
  readonly listJobs: () => Promise<ListedProcesses>;
}

const NO_METRICS =
  'Without metrics there are no plots. Set METRICS_LISTEN of the processes, and CONSOLE_METRICS of the console (docs/operators.md#the-overview).';

/** The last hour, or the newest steps of it. */
export async function recentOverview(parts: OverviewParts, max_steps = MAX_STEPS): Promise<OverviewAnswer> {
  const { collector, hasMetrics } = parts;
  const now_ms = Date.now();
  const series = collector.history.series(now_ms, max_steps);
  return {
    ...(await currentState(parts, now_ms)),
    step_ms: collector.step_ms,
    ...series,
    notices: hasMetrics ? [] : [NO_METRICS],
  };
}

/** A longer window, by Prometheus. If that does not answer, a notice says why. */
export async function longOverview(
  parts: OverviewParts,
  prometheus: Prometheus,
  window: LongWindow,
): Promise<OverviewAnswer> {
  const now_ms = Date.now();
  const [state, { step_ms, series, problem }] = await Promise.all([
    currentState(parts, now_ms),
    prometheus.series(window, now_ms),
  ]);
  return { ...state, step_ms, ...series, notices: problem === undefined ? [] : [problem] };
}

async function currentState(
  { collector, hasMetrics, prometheus, findNoisy, listJobs }: OverviewParts,
  at_ms: number,
): Promise<Omit<OverviewAnswer, keyof OverviewSeries | 'step_ms' | 'notices'>> {
  const processes = collector.processes();
  const [{ noisy, unavailable }, replicas] = await Promise.all([
    findNoisy(),
    hasMetrics ? replicasOf(processes) : replicasByJobs(listJobs),
  ]);
  return {
    at_ms,
    prometheus: prometheus !== undefined,
    pools: poolsOf(processes),
    sessions: sessionsOf(processes),
    event_delay_ms: collector.eventDelay_ms(),
    webhook_posts: collector.webhookPosts(),
    mail_queue: mailQueueOf(processes),
    replicas,
    noisy,
    unavailable,
  };
}

async function replicasByJobs(listJobs: OverviewParts['listJobs']): Promise<Replica[]> {
  const { processes, unavailable } = await listJobs();
  return [
    ...processes.map(({ jobs, ...process }) => ({ ...process, up: true })),
    ...unavailable.map((process) => ({ ...process, version: '', up: false, started_at_ms: 0 })),
  ];
}
