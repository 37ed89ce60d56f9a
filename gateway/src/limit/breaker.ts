/** In a row. Those of one turn of the event loop are one: a lost connection fails all calls on it at once. */
const FAILURES = 5;
const PROBE_EVERY_MS = 200;

/** Whether it is worth while to ask somebody who has just failed to answer. */
export interface Breaker {
  isOpen(): boolean;
  failed(): void;
  answered(): void;
  close(): void;
}

/**
 * Five failures in a row open it; then `probe`, begun every 200 ms until it succeeds, closes it. So
 * nobody waits for a peer that does not answer, and the first answer is enough to ask again.
 */
export function breaker(probe: () => Promise<void>): Breaker {
  let failures = 0;
  let counted = false;
  let open = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  function schedule(): void {
    if (!ended) timer = setTimeout(tryAgain, PROBE_EVERY_MS);
  }

  async function tryAgain(): Promise<void> {
    try {
      await probe();
      open = false;
      failures = 0;
    } catch {
      schedule();
    }
  }

  return {
    isOpen: () => open,
    failed: () => {
      if (open || counted) return;
      counted = true;
      setImmediate(() => {
        counted = false;
      });
      failures++;
      open = failures >= FAILURES;
      if (open) schedule();
    },
    answered: () => {
      failures = 0;
    },
    close: () => {
      ended = true;
      clearTimeout(timer);
    },
  };
}
