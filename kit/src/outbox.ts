import type { Logger } from './log.ts';
import { throttledLog } from './throttled-log.ts';

/** Where a service keeps what another is to be told: rows, each written in the transaction of what it tells. */
export interface OutboxRows<T> {
  /** Takes those that are due, the longest waiting first; nobody else does for `retry_ms`. */
  claim(limit: number, retry_ms: number): Promise<readonly T[]>;
  /** The other service has answered. */
  forget(item: T): Promise<void>;
}

/** Tells another service what it must know, however long it or this process is away. */
export interface Outbox<T> {
  /** Tells these now; when that fails it is done later, by whichever replica. Never throws. */
  send(items: readonly T[]): Promise<void>;
  /** Looks for due rows now instead of at the next interval. Never throws. */
  wake(): void;
  /** Finishes the work that is under way, and begins no more. */
  close(): Promise<void>;
}

export interface OutboxOptions<T> {
  readonly rows: OutboxRows<T>;
  /**
   * Told more than once when an answer is lost, and in any order. The answer false: it is not done yet, and its row
   * says when it is due again.
   */
  readonly deliver: (item: T) => Promise<unknown>;
  /** What the items are, for the log: "changes of webhooks". */
  readonly what: string;
  readonly log: Logger;
  /** Most claimed items that are told of at once; 8. */
  readonly at_once?: number;
}

/** How long one attempt has an item to itself. A row is written with this much time before it is due. */
export const OUTBOX_RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 8;

export function openOutbox<T>({ rows, deliver, what, log, at_once = AT_ONCE }: OutboxOptions<T>): Outbox<T> {
  const telling = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  /** Somebody wants a look that could not begin yet. */
  let asked = false;
  /** There may be more than the last look could take. */
  let more = false;
  let closed = false;
  const sayUnsent = throttledLog<unknown>((times, error) => {
    log.warn({ err: error, times }, `${what} could not be sent; trying again`);
  });

  /** Whether it is done. */
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
        // After a failure the rest waits for the next interval: the other service may be away.
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
