import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import { CollectedProcess } from '../metrics/collected-process.ts';
import { fetchMetrics } from '../metrics/fetch-metrics.ts';
import { MetricsFormatError } from '../metrics/scan-samples.ts';
import { type MetricsTarget, metricsAddresses } from '../metrics/targets.ts';
import { increase, quantileMs, rounded, StepGrowth } from './growths.ts';
import { History } from './history.ts';
import { RecentRoutes } from './recent-routes.ts';

/** The interval while somebody looks. */
export const STEP_MS = 5_000;
/** The interval while nobody does, to cost little. */
const IDLE_STEP_MS = 30_000;
/** The interval in the first half minute while a process does not answer: all may be starting together. */
const START_STEP_MS = 1_000;
/** How long a look counts, and how long the start takes. */
const LOOK_MS = 30_000;
/** Steps of the event delay: at least a minute. */
const LAG_STEPS = 12;
const LOG_EVERY_MS = 60_000;
const EDGE = 'gateway';
const WEBHOOKS = 'webhook-delivery';

export interface CollectorOptions {
  readonly targets: readonly MetricsTarget[];
  readonly log: Logger;
  /** Overrides the intervals, for tests. */
  readonly step_ms?: number | undefined;
  readonly idle_step_ms?: number | undefined;
  readonly look_ms?: number | undefined;
}

/** Reads the metrics of all processes at an interval, and keeps the last hour. */
export class Collector {
  readonly history = new History();
  readonly routes = new RecentRoutes();
  readonly #addresses: ReturnType<typeof metricsAddresses>;
  readonly step_ms: number;
  readonly #idle_step_ms: number;
  readonly #look_ms: number;
  readonly #opened_ms = performance.now();
  readonly #logFailure: (problem: { address: string; err: unknown }) => void;
  readonly #processes = new Map<string, CollectedProcess>();
  #posted: number | null = null;
  readonly #eventLags: ReadonlyMap<number, number>[] = [];
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  // The first steps are short: then there is something to see soon.
  #looked_ms = this.#opened_ms;
  #began_ms = Number.NEGATIVE_INFINITY;
  #collecting: Promise<void> | undefined;
  #closed = false;

  constructor({
    targets,
    log,
    step_ms = STEP_MS,
    idle_step_ms = IDLE_STEP_MS,
    look_ms = LOOK_MS,
  }: CollectorOptions) {
    this.#addresses = metricsAddresses(targets);
    this.step_ms = step_ms;
    this.#idle_step_ms = idle_step_ms;
    this.#look_ms = look_ms;
    this.#logFailure = throttledLog<{ address: string; err: unknown }>((times, problem) => {
      log.warn({ ...problem, times }, 'metrics of processes cannot be read');
    }, LOG_EVERY_MS);
    this.#schedule(0);
  }

  /** Says that somebody looks: for a while, steps are short. Resolves once the values are at most a short step old. */
  async look(): Promise<void> {
    const wasIdle = !this.#isLookedAt();
    this.#looked_ms = performance.now();
    const due_ms = this.#began_ms + this.step_ms - this.#looked_ms;
    if (due_ms > 0) {
      if (wasIdle) this.#schedule(due_ms);
      return;
    }
    if (this.#collecting === undefined && !this.#closed) this.#begin();
    await this.#collecting;
  }

  /** Calls `listener` after each step. @returns a function that ends it */
  onStep(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  processes(): readonly CollectedProcess[] {
    return [...this.#processes.values()];
  }

  /** Milliseconds from the writing of an event to its dispatch: of 99 % in the last steps. */
  eventDelay_ms(): number | null {
    const sum = new Map<number, number>();
    for (const lag of this.#eventLags) for (const [bound, count] of lag) increase(sum, bound, count);
    return quantileMs(0.99, sum);
  }

  /** Messages that webhooks posted, per second of the newest step; null while it is unknown. */
  webhookPosts(): number | null {
    return this.#posted;
  }

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#collecting;
  };

  #isLookedAt(): boolean {
    return performance.now() - this.#looked_ms < this.#look_ms;
  }

  #schedule(after_ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#collecting !== undefined) return;
    this.#timer = setTimeout(() => this.#begin(), after_ms).unref();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#began_ms = performance.now();
    this.#collecting = this.#collect().finally(() => {
      this.#collecting = undefined;
      this.#schedule(Math.max(0, this.#began_ms + this.#interval_ms() - performance.now()));
    });
  }

  #interval_ms(): number {
    const usual_ms = this.#isLookedAt() ? this.step_ms : this.#idle_step_ms;
    const isStarting = performance.now() - this.#opened_ms < LOOK_MS;
    return isStarting && this.processes().some(({ isUp }) => !isUp)
      ? Math.min(usual_ms, START_STEP_MS)
      : usual_ms;
  }

  /** Never rejects. */
  async #collect(): Promise<void> {
    await this.#resolve();
    const step = new StepGrowth();
    await Promise.all(this.processes().map((one) => this.#read(one, step)));
    if (this.#closed) return;
    if (step.has_edge) {
      const now_ms = Date.now();
      this.history.add(now_ms, step);
      this.routes.add(now_ms, step);
    }
    this.#posted = step.has_webhooks ? rounded(step.posted) : null;
    this.#eventLags.push(step.event_lag);
    if (this.#eventLags.length > LAG_STEPS) this.#eventLags.shift();
    for (const listener of this.#listeners) listener();
  }

  async #read(process: CollectedProcess, step: StepGrowth): Promise<void> {
    try {
      const reading = await process.read();
      if (reading === undefined) return;
      step.add(reading.growths, reading.seconds);
      if (process.service === EDGE) step.has_edge = true;
      if (process.service === WEBHOOKS) step.has_webhooks = true;
    } catch (err) {
      // A process that is away is a row of the overview.
      if (!(err instanceof MetricsFormatError)) return;
      process.forget();
      this.#logFailure({ address: process.address, err });
    }
  }

  /** Takes up new processes, and forgets those whose address is gone. */
  async #resolve(): Promise<void> {
    const wanted = new Map((await this.#addresses()).map((one) => [`${one.service} ${one.address}`, one]));
    for (const key of this.#processes.keys()) if (!wanted.has(key)) this.#processes.delete(key);
    for (const [key, one] of wanted)
      if (!this.#processes.has(key)) this.#processes.set(key, new CollectedProcess(one, fetchMetrics));
  }
}
