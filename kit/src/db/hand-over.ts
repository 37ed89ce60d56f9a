import type { Logger } from '../log.ts';
import { within } from '../within.ts';

export interface HandOverOptions {
  /** What is handed over, for the log. */
  readonly what: string;
  /**
   * Hands over the next row, in a transaction that removes it here. False: none is left.
   *
   * @param signal ends it: whom it is handed to may not answer
   */
  readonly next: (signal: AbortSignal) => Promise<boolean>;
  readonly log: Logger;
  /** How long the start waits for it at most; half a minute unless given. */
  readonly patience_ms?: number;
}

export interface HandOver {
  /** Resolves once nothing is left, or when that takes so long that the start goes on without. */
  readonly settled: Promise<void>;
  /** Ends it. The row that is under way is given up, and stays here. */
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;
const RETRY_MS = 250;
/** A replica of before may still write rows. */
const LOOK_EVERY_MS = 30_000;
/** A database that does not answer must not keep a process from its end. */
const CLOSE_WITHIN_MS = 2_000;

/**
 * Hands the rows of a table over to the service that owns them from now on, one at a time, in the background. Rows
 * that are handed over are gone here, so that a process that dies leaves the rest to the next.
 */
export function handOver({ what, next, log, patience_ms = PATIENCE_MS }: HandOverOptions): HandOver {
  const closing = new AbortController();
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const patience = setTimeout(() => {
    log.warn({ what }, 'not all is handed over yet; going on without');
    settle();
  }, patience_ms);

  async function run(): Promise<void> {
    let handed = 0;
    let failing = false;
    while (!closing.signal.aborted) {
      try {
        if (await next(closing.signal)) {
          handed++;
          failing = false;
          continue;
        }
        if (handed > 0) log.info({ what, handed }, 'handed over');
        handed = 0;
        clearTimeout(patience);
        settle();
        await pause(LOOK_EVERY_MS, closing.signal);
      } catch (error) {
        if (!failing && !closing.signal.aborted)
          log.warn({ err: error, what }, 'could not be handed over; trying again');
        failing = true;
        await pause(RETRY_MS, closing.signal);
      }
    }
  }

  const running = run();
  return {
    settled,
    close: async () => {
      closing.abort();
      clearTimeout(patience);
      settle();
      await within(CLOSE_WITHIN_MS, running);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
