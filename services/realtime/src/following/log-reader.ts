import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import { throttledLog } from '@gatehouse/kit/throttled-log';

/** A response of an event log's ReadEvents. */
export interface LogResponse<E> {
  readonly events: readonly E[];
  readonly cursor: string;
}

export interface LogReaderOptions<E> {
  /** The log's name in log lines. */
  readonly name: string;
  /** Reads on from the cursor; without one, from now. */
  readonly read: (cursor: string | undefined, signal: AbortSignal) => AsyncIterable<LogResponse<E>>;
  /** Handles one response at a time. The next one is read when it settles. */
  readonly take: (response: LogResponse<E>) => Promise<void> | void;
  /** Called before the next response when events were lost: all state derived from the log is void. */
  readonly onEventsLost: () => void;
  readonly log: Logger;
}

/** A log that is silent for this long hangs: it is four times the interval of an idle log. */
const HANGS_AFTER_MS = 2_000;
/** Failures of a log that was read before are logged only after this time: its service may be restarting. */
const QUIET_FAILURE_MS = 2_000;
/** Failures of a log that was never read: services start together, and this one is among the first. */
const QUIET_START_MS = 15_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;

/** Reads an event log until it is closed. After a failure it continues from its last cursor, at any replica. */
export class LogReader<E> {
  readonly #options: LogReaderOptions<E>;
  readonly #closing = new AbortController();
  readonly #warn: (error: unknown) => void;
  #watch: NodeJS.Timeout;
  readonly #running: Promise<void>;
  #attempt = new AbortController();
  #cursor: string | undefined;
  #heardAt_ms = performance.now();
  #hasHeard = false;
  #startedAt_ms = this.#heardAt_ms;
  #isTaking = false;
  #isLost = false;

  constructor(options: LogReaderOptions<E>) {
    this.#options = options;
    this.#warn = throttledLog<unknown>((times, error) =>
      options.log.warn(
        { err: error, log: options.name, times },
        'the event log cannot be read; trying again',
      ),
    );
    this.#watch = setTimeout(() => this.#abortIfHanging(), HANGS_AFTER_MS);
    this.#running = this.#run();
  }

  /** The time since the log's last response; 0 while a response is being handled. */
  age_ms(): number {
    return this.#isTaking ? 0 : performance.now() - this.#heardAt_ms;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#watch);
    await this.#running;
  }

  async #run(): Promise<void> {
    let pause_ms = FIRST_PAUSE_MS;
    while (!this.#closing.signal.aborted) {
      const heardBefore_ms = this.#heardAt_ms;
      try {
        await this.#readStream();
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#onFailure(error);
      }
      const isProgress = this.#heardAt_ms > heardBefore_ms;
      pause_ms = isProgress ? FIRST_PAUSE_MS : Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
      await sleep(pause_ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  async #readStream(): Promise<void> {
    const { name, read, log } = this.#options;
    this.#attempt = new AbortController();
    const signal = AbortSignal.any([this.#attempt.signal, this.#closing.signal]);
    this.#startedAt_ms = performance.now();
    for await (const response of read(this.#cursor, signal)) {
      await this.#take(response);
      this.#cursor = response.cursor;
      if (this.#closing.signal.aborted) return;
    }
    const after_ms = performance.now() - this.#startedAt_ms;
    log.debug({ log: name, after_ms }, 'the event log ended its stream');
  }

  async #take(response: LogResponse<E>): Promise<void> {
    const { take, onEventsLost } = this.#options;
    this.#heardAt_ms = performance.now();
    this.#hasHeard = true;
    this.#isTaking = true;
    try {
      // Now, not when the loss was noticed: state that was loaded in between is void too.
      if (this.#isLost) onEventsLost();
      this.#isLost = false;
      await take(response);
    } finally {
      this.#isTaking = false;
      this.#heardAt_ms = performance.now();
    }
  }

  #onFailure(error: unknown): void {
    if (error instanceof Fault && error.reason === 'CURSOR_TOO_OLD') {
      this.#options.log.error({ log: this.#options.name }, 'events were lost; reading on from now');
      this.#cursor = undefined;
      this.#isLost = true;
    } else if (performance.now() - this.#heardAt_ms > this.#quiet_ms()) this.#warn(error);
  }

  #quiet_ms(): number {
    return this.#hasHeard ? QUIET_FAILURE_MS : QUIET_START_MS;
  }

  #abortIfHanging(): void {
    const silent_ms = performance.now() - Math.max(this.#heardAt_ms, this.#startedAt_ms);
    const left_ms = this.#isTaking ? HANGS_AFTER_MS : HANGS_AFTER_MS - silent_ms;
    if (left_ms <= 0) this.#attempt.abort();
    this.#watch = setTimeout(() => this.#abortIfHanging(), left_ms > 0 ? left_ms : HANGS_AFTER_MS);
  }
}
