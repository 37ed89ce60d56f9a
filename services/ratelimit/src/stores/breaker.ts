import type { Logger } from '@gatehouse/kit/log';

/** Failures in a row that open it. Those of one turn of the event loop, such as a batch's, are one. */
const FAILURES = 5;
/** A store that answered so lately is there: of a cluster, one node may be away. */
const RECENT_MS = 20;
const PROBE_EVERY_MS = 200;

/** Keeps calls from a store that does not answer. */
export interface Breaker {
  /** Whether the store is left alone. */
  isOpen(): boolean;
  succeeded(): void;
  failed(): void;
  close(): void;
}

/**
 * A circuit breaker: five failures in a row, with no success for 20 ms, open it; then a probe, which must not be a charge, is tried
 * every 200 ms, and the first that succeeds closes it.
 */
export function breaker(probe: () => Promise<void>, log: Logger, startsOpen = false): Breaker {
  let failures = 0;
  let succeededAt = -RECENT_MS;
  let counted = false;
  let probing = false;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    if (timer !== undefined) return;
    log.warn('the store does not answer: failure policies decide');
    timer = setInterval(() => void tryProbe(), PROBE_EVERY_MS).unref();
  }

  async function tryProbe(): Promise<void> {
    if (probing) return;
    probing = true;
    try {
      await probe();
      if (timer === undefined) return;
      stop();
      failures = 0;
      log.info('the store answers again');
    } catch {
      // The next probe comes in 200 ms.
    } finally {
      probing = false;
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  if (startsOpen) open();
  return {
    isOpen: () => timer !== undefined,
    succeeded: () => {
      failures = 0;
      succeededAt = performance.now();
    },
    failed: () => {
      if (counted || timer !== undefined) return;
      counted = true;
      setImmediate(() => {
        counted = false;
      });
      failures++;
      if (failures >= FAILURES && performance.now() - succeededAt >= RECENT_MS) open();
    },
    close: stop,
  };
}
