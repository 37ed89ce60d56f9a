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
/** Sessions per statement, and statements per interval: at most a thousand sessions a second, about 20 µs each. */
const BATCH = 500;
const MAX_BATCHES = 20;
/** A database that does not answer must not keep the process alive. */
const CLOSE_WITHIN_MS = 2_000;

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

  /** Writes the noted times, for two seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const written = this.#writing.then(() => this.#write());
    await Promise.race([written, setTimeout(CLOSE_WITHIN_MS, undefined, { ref: false })]);
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
      for (let batches = 0; batches < MAX_BATCHES && this.#waiting.length > 0; batches++)
        await touchSessions(this.#db, this.#waiting.splice(0, BATCH));
    } catch (error) {
      this.#log.warn({ err: error }, 'writing last-used times failed');
      this.#noted.clear(); // sessions in use will be noted again
      this.#waiting = [];
    } finally {
      this.#busy = false;
    }
  }
}
