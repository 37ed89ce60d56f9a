import type { Job } from './job.ts';
import type { Logger } from './log.ts';
import { throttledLog } from './throttled-log.ts';

/** The outbox table of a service: each row is written in the transaction of the change that it announces. */
export interface OutboxRows<T> {
  /** Claims due rows, oldest first. No other replica claims them for `retry_ms`. */
  claim(limit: number, retry_ms: number): Promise<readonly T[]>;
  /** Ends a delivered item: deletes its row, or makes it due again later. */
  complete(item: T): Promise<void>;
}

/** Why an item is delivered. `sent`: its caller waits. `claimed`: its row was due, and nobody waits. */
export type DeliveryCause = 'sent' | 'claimed';

export interface OutboxOptions<T> {
  readonly rows: OutboxRows<T>;
  /**
   * Delivers an item: more than once if an answer is lost, and in any order. Returns false if the delivery is not
   * complete; the row then says when it is due again.
   */
  readonly deliver: (item: T, cause: DeliveryCause) => Promise<unknown>;
  /** The items, for the log: "changes of webhooks". */
  readonly what: string;
  readonly log: Logger;
  /** Maximum claimed items that are delivered at once. Default: 8. */
  readonly at_once?: number;
}

/** How long one attempt owns an item. A new row is due after this time, because its own process sends it at once. */
export const OUTBOX_RETRY_MS = 3_000;
const OUTBOX_POLL_MS = 1_000;
/** The interval after ACTIVE_MS without work. Then only rows of a killed process, or delayed ones, become due. */
const IDLE_POLL_MS = 5_000;
/** Longer than a row takes to be due again after a failure. */
const ACTIVE_MS = 10_000;
const AT_ONCE = 8;

export function openOutbox<T>(options: OutboxOptions<T>): Outbox<T> {
  return new Outbox(options);
}

/** Delivers rows to another service, however long that service or this process is down. */
export class Outbox<T> implements Job {
  readonly kind = 'outbox';
  readonly #options: OutboxOptions<T>;
  readonly #atOnce: number;
  readonly #logFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  /** When there was work last. */
  #activeAt_ms = performance.now();
  /** Deliveries of claimed items. */
  readonly #deliveries = new Set<Promise<void>>();
  #polling: Promise<void> | undefined;
  /** Whether another poll was requested meanwhile. */
  #isPollRequested = false;
  /** Whether the last poll claimed as many items as it could. */
  #mayHaveMore = false;
  #lastRunAt_ms: number | undefined;
  #closed = false;

  constructor(options: OutboxOptions<T>) {
    const { what, log, at_once = AT_ONCE } = options;
    this.#options = options;
    this.#atOnce = at_once;
    this.#logFailure = throttledLog<unknown>((times, error) => {
      log.warn({ err: error, times }, `${what} could not be sent; trying again`);
    });
    this.#startTimer();
  }

  /** Delivers these items now. If that fails, some replica retries later. Never throws. */
  readonly send = async (items: readonly T[]): Promise<void> => {
    this.#noteWork();
    await Promise.all(items.map((item) => this.#deliver(item, 'sent')));
  };

  /** Polls for due rows now instead of at the next interval. Never throws. */
  readonly wake = (): void => {
    this.#noteWork();
    this.#poll();
  };

  /** Finishes the deliveries in flight, and begins no more. */
  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all(this.#deliveries);
  };

  /** When it delivered items last, or looked for due ones. */
  lastRunAt_ms(): number | undefined {
    return this.#lastRunAt_ms;
  }

  isRunning(): boolean {
    return this.#polling !== undefined || this.#deliveries.size > 0;
  }

  #noteWork(): void {
    const wasActive = this.#isActive();
    this.#activeAt_ms = performance.now();
    if (!wasActive) this.#startTimer();
  }

  #isActive(): boolean {
    return performance.now() - this.#activeAt_ms < ACTIVE_MS;
  }

  /** Polls again and again, at the current interval. */
  #startTimer(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const interval_ms = this.#isActive() ? OUTBOX_POLL_MS : IDLE_POLL_MS;
    this.#timer = setTimeout(() => {
      this.#startTimer();
      this.#poll();
    }, interval_ms).unref();
  }

  #poll(): void {
    if (this.#closed) return;
    this.#isPollRequested = true;
    if (this.#polling !== undefined || this.#deliveries.size >= this.#atOnce) return;
    this.#isPollRequested = false;
    const { what, log } = this.#options;
    this.#lastRunAt_ms = Date.now();
    this.#polling = this.#claim()
      .catch((error: unknown) => log.warn({ err: error }, `${what} could not be read`))
      .finally(() => {
        this.#polling = undefined;
        if (this.#isPollRequested) this.#poll();
      });
  }

  /** Returns whether the item is delivered. */
  async #deliver(item: T, cause: DeliveryCause): Promise<boolean> {
    const { rows, deliver } = this.#options;
    this.#lastRunAt_ms = Date.now();
    try {
      if ((await deliver(item, cause)) === false) return false;
      await rows.complete(item);
      return true;
    } catch (error) {
      this.#noteWork(); // the attempt may have outlasted ACTIVE_MS
      this.#logFailure(error);
      return false;
    }
  }

  async #claim(): Promise<void> {
    const free = this.#atOnce - this.#deliveries.size;
    const items = await this.#options.rows.claim(free, OUTBOX_RETRY_MS);
    this.#mayHaveMore = items.length === free;
    if (items.length > 0) this.#noteWork();
    for (const item of items) {
      const delivery = this.#deliver(item, 'claimed').then((isDelivered) => {
        this.#deliveries.delete(delivery);
        // After a failure the rest waits for the next interval, because the other service may be down.
        if (this.#isPollRequested || (isDelivered && this.#mayHaveMore)) this.#poll();
      });
      this.#deliveries.add(delivery);
    }
  }
}
