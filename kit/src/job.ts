/** Background work of a process, which shows what it does and runs on demand (kit.v1.JobsService). */
export interface Job {
  readonly kind: 'outbox' | 'periodic';
  /** When it began to run last, in milliseconds since the Unix epoch. Undefined if it has not run yet. */
  lastRunAt_ms(): number | undefined;
  isRunning(): boolean;
  /** Runs it now instead of at its next time. A job that runs already runs once more afterwards. Never throws. */
  wake(): void;
}
