import type { Logger } from '../logger.ts';

const WARN_EVERY_MS = 1_000;
/** Calls may fail and succeed in turn. After this time without a failure, an answer ends the outage. */
const QUIET_MS = 1_000;

/** Logs the number of checks that are decided without ratelimit, at most once a second, and the end of the outage. */
export class OutageLog {
  readonly #log: Logger;
  readonly #now_ms: () => number;
  #unlogged = 0;
  #loggedAt_ms = Number.NEGATIVE_INFINITY;
  #decidedAt_ms = Number.NEGATIVE_INFINITY;
  #hasLogged = false;
  #lastCause: unknown;

  /** @param now_ms a clock that never goes back */
  constructor(log: Logger, now_ms = () => performance.now()) {
    this.#log = log;
    this.#now_ms = now_ms;
  }

  /** Counts a check. `cause` is the error of the call to ratelimit, if one was made. */
  decidedLocally(cause?: unknown): void {
    this.#unlogged++;
    this.#lastCause = cause ?? this.#lastCause;
    const now_ms = this.#now_ms();
    this.#decidedAt_ms = now_ms;
    if (now_ms - this.#loggedAt_ms < WARN_EVERY_MS) return;
    this.#log.warn(
      { err: this.#lastCause, decided_here: this.#unlogged },
      'ratelimit does not answer: limits are decided here',
    );
    this.#loggedAt_ms = now_ms;
    this.#hasLogged = true;
    this.#unlogged = 0;
  }

  /** Call it for each answer: single calls that fail do not open the breaker, so it does not close. */
  answered(): void {
    if (this.#hasLogged && this.#now_ms() - this.#decidedAt_ms >= QUIET_MS) this.outageEnded();
  }

  /** Of the level of the outage itself: whoever sees the one line sees the other. */
  outageEnded(): void {
    if (this.#hasLogged) this.#log.warn({ decided_here: this.#unlogged }, 'ratelimit answers again');
    this.#hasLogged = false;
    this.#unlogged = 0;
  }
}
