import type { Logger } from './log.ts';
import { sparingly } from './log-sparingly.ts';

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
  /** What is under way is finished. */
  close(): Promise<void>;
}

export interface OutboxOptions<T> {
  readonly rows: OutboxRows<T>;
  /** Told more than once when an answer is lost, and in any order. */
  readonly tell: (item: T) => Promise<unknown>;
  /** What the items are, for the log: "changes of webhooks". */
  readonly what: string;
  readonly log: Logger;
}

/** How long one attempt has an item to itself. A row is written with this much time before it is due. */
export const OUTBOX_RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 8;

export function openOutbox<T>({ rows, tell, what, log }: OutboxOptions<T>): Outbox<T> {
  let looking: Promise<void> | undefined;
  let closed = false;
  const sayUnsent = sparingly<unknown>((times, error) => {
    log.warn({ err: error, times }, `${what} could not be sent; trying again`);
  });

  /** Whether it is done. */
  async function sendOne(item: T): Promise<boolean> {
    try {
      await tell(item);
      await rows.forget(item);
      return true;
    } catch (error) {
      sayUnsent(error);
      return false;
    }
  }

  async function look(): Promise<void> {
    for (let more = true; more; ) {
      const items = await rows.claim(AT_ONCE, OUTBOX_RETRY_MS);
      const sent = await Promise.all(items.map(sendOne));
      more = items.length === AT_ONCE && sent.every(Boolean) && !closed;
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, `${what} could not be read`))
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_EVERY_MS).unref();

  return {
    send: async (items) => {
      await Promise.all(items.map(sendOne));
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      await looking;
    },
  };
}
