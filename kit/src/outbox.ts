import type { Logger } from './log.ts';
import { throttledLog } from './throttled-log.ts';

/** The outbox table of a service: each row is written in the transaction of the change that it announces. */
export interface OutboxRows<T> {
  /** Claims due rows, oldest first. No other replica claims them for `retry_ms`. */
  claim(limit: number, retry_ms: number): Promise<readonly T[]>;
  /** Deletes a delivered row. */
  forget(item: T): Promise<void>;
}

/** Delivers rows to another service, however long that service or this process is down. */
export interface Outbox<T> {
  /** Delivers these items now. If that fails, some replica retries later. Never throws. */
  send(items: readonly T[]): Promise<void>;
  /** Looks for due rows now instead of at the next interval. Never throws. */
  wake(): void;
  /** Finishes the deliveries in flight, and begins no more. */
  close(): Promise<void>;
}

export interface OutboxOptions<T> {
  readonly rows: OutboxRows<T>;
  /**
   * Delivers an item: more than once if an answer is lost, and in any order. Returns false if it is not done yet; the
   * row then says when it is due again.
   */
  readonly deliver: (item: T) => Promise<unknown>;
  /** The items, for the log: "changes of webhooks". */
  readonly what: string;
  readonly log: Logger;
  /** Maximum claimed items that are delivered at once. Default: 8. */
  readonly at_once?: number;
}

/** How long one attempt owns an item. A row is written with this much time before it is due. */
export const OUTBOX_RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 8;

export function openOutbox<T>({ rows, deliver, what, log, at_once = AT_ONCE }: OutboxOptions<T>): Outbox<T> {
  const telling = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  /** Whether another look was requested meanwhile. */
  let asked = false;
  /** Whether the last look was limited by its size. */
  let more = false;
  let closed = false;
  const sayUnsent = throttledLog<unknown>((times, error) => {
    log.warn({ err: error, times }, `${what} could not be sent; trying again`);
  });

  /** Returns whether the item is delivered. */
  async function sendOne(item: T): Promise<boolean> {
    try {
      if ((await deliver(item)) === false) return false;
      await rows.forget(item);
      return true;
    } catch (error) {
      sayUnsent(error);
      return false;
    }
  }

  function wake(): void {
    if (closed) return;
    asked = true;
    if (looking !== undefined || telling.size >= at_once) return;
    asked = false;
    looking = look()
      .catch((error: unknown) => log.warn({ err: error }, `${what} could not be read`))
      .finally(() => {
        looking = undefined;
        if (asked) wake();
      });
  }

  async function look(): Promise<void> {
    const free = at_once - telling.size;
    const items = await rows.claim(free, OUTBOX_RETRY_MS);
    more = items.length === free;
    for (const item of items) {
      const attempt = sendOne(item).then((done) => {
        telling.delete(attempt);
        // After a failure the rest waits for the next interval, because the other service may be down.
        if (asked || (done && more)) wake();
      });
      telling.add(attempt);
    }
  }

  const timer = setInterval(wake, LOOK_EVERY_MS).unref();

  return {
    send: async (items) => {
      await Promise.all(items.map(sendOne));
    },
    wake,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await looking;
      await Promise.all(telling);
    },
  };
}
