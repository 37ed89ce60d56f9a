import type { Job } from './job.ts';

/**
 * Runs a job in the background at an interval, never twice at once: a run that takes longer delays the next. The job
 * must not reject. A long run should end early once `closing` is aborted.
 */
export function periodicJob(every_ms: number, job: (closing: AbortSignal) => Promise<void>): PeriodicJob {
  return new PeriodicJob(every_ms, job);
}

/** A job that runs at an interval. */
export class PeriodicJob implements Job {
  readonly kind = 'periodic';
  readonly #job: (closing: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #run: Promise<void> | undefined;
  #lastRunAt_ms: number | undefined;
  /** Whether `wake` was called during the current run. */
  #isRunRequested = false;

  constructor(every_ms: number, job: (closing: AbortSignal) => Promise<void>) {
    this.#job = job;
    this.#timer = setInterval(() => this.#start(), every_ms).unref();
  }

  /** Aborts `closing`, waits for the current run and starts no other. */
  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    clearInterval(this.#timer);
    await this.#run;
  };

  lastRunAt_ms(): number | undefined {
    return this.#lastRunAt_ms;
  }

  isRunning(): boolean {
    return this.#run !== undefined;
  }

  wake(): void {
    this.#isRunRequested = this.isRunning();
    this.#start();
  }

  #start(): void {
    if (this.#run !== undefined || this.#closing.signal.aborted) return;
    this.#lastRunAt_ms = Date.now();
    this.#run = this.#job(this.#closing.signal).finally(() => {
      this.#run = undefined;
      if (!this.#isRunRequested) return;
      this.#isRunRequested = false;
      this.#start();
    });
  }
}
