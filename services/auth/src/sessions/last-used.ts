import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import { touchSessions } from '../store/sessions/sessions.ts';

export interface LastUsedOptions {
  readonly db: Pool;
  readonly log: Logger;
  /** The interval of writing; 10 s by default. */
  readonly every_ms?: number | undefined;
}

/** A session is noted once per period. The store writes it at most once a minute. */
const PERIOD_MS = 30_000;
/** Maximum sessions noted per period. The others are noted in a later period. */
const MAX_NOTED = 30_000;
/** Bounds each interval of writing to a thousand sessions a second, which take about 20 µs each. */
const SESSIONS_PER_STATEMENT = 500;
const MAX_STATEMENTS = 20;
/** A database that does not answer must not keep the process alive. */
const LAST_WRITE_TIMEOUT_MS = 2_000;

/** Writes the last-used times of sessions in the background, some seconds late. */
export class LastUsed {
  readonly #db: Pool;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #noted = new Set<string>();
  /** Noted sessions that are not written yet. */
  #waiting: string[] = [];
  #period_ends = performance.now() + PERIOD_MS;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;

  constructor({ db, log, every_ms = 10_000 }: LastUsedOptions) {
    this.#db = db;
    this.#log = log;
    this.#timer = setInterval(() => this.#tick(), every_ms).unref();
  }

  /** Notes that a session was used. It does no I/O, because every Identify calls it. */
  note(session_id: string): void {
    const { size } = this.#noted;
    if (size >= MAX_NOTED || this.#waiting.length >= MAX_NOTED) return;
    this.#noted.add(session_id);
    if (this.#noted.size > size) this.#waiting.push(session_id);
  }

  /** Writes the noted times. Gives up after two seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const written = this.#writing.then(() => this.#write());
    await Promise.race([written, setTimeout(LAST_WRITE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #tick(): void {
    if (performance.now() >= this.#period_ends) {
      this.#period_ends = performance.now() + PERIOD_MS;
      this.#noted.clear();
    }
    if (!this.#busy) this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    this.#busy = true;
    try {
      for (let statements = 0; statements < MAX_STATEMENTS && this.#waiting.length > 0; statements++)
        await touchSessions(this.#db, this.#waiting.splice(0, SESSIONS_PER_STATEMENT));
    } catch (error) {
      this.#log.warn({ err: error }, 'writing last-used times failed');
      this.#noted.clear(); // sessions in use will be noted again
      this.#waiting = [];
    } finally {
      this.#busy = false;
    }
  }
}
