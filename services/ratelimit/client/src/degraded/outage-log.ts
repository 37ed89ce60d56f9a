import type { Logger } from '../logger.ts';

const WARN_EVERY_MS = 1_000;

/** Logs the number of checks that are decided without ratelimit, at most once a second. */
export class OutageLog {
  readonly #log: Logger;
  #unlogged = 0;
  #loggedAt_ms = Number.NEGATIVE_INFINITY;
  #hasLogged = false;
  #lastCause: unknown;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Counts a check. `cause` is the error of the call to ratelimit, if one was made. */
  decidedLocally(cause?: unknown): void {
    this.#unlogged++;
    this.#lastCause = cause ?? this.#lastCause;
    const now_ms = performance.now();
    if (now_ms - this.#loggedAt_ms < WARN_EVERY_MS) return;
    this.#log.warn(
      { err: this.#lastCause, decided_here: this.#unlogged },
      'ratelimit does not answer: limits are decided here',
    );
    this.#loggedAt_ms = now_ms;
    this.#hasLogged = true;
    this.#unlogged = 0;
  }

  outageEnded(): void {
    if (this.#hasLogged) this.#log.info({ decided_here: this.#unlogged }, 'ratelimit answers again');
    this.#hasLogged = false;
    this.#unlogged = 0;
  }
}
