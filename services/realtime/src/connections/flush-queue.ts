/** After so many frames nothing waits for the end of the turn any longer, so that the first ones are not late. */
const MAX_FRAMES = 32_768;

/** Writes that are done together, at the end of this turn of the event loop. */
export interface FlushQueue {
  add(flush: () => void): void;
  /** Counts a frame that waits for it. */
  frame(): void;
}

/**
 * A follower of the log tells several events in one turn. Their frames for a socket then take one system call, and the
 * system call is most of what a frame costs: ten frames together take a quarter of ten alone.
 */
export function flushQueue(): FlushQueue {
  let waiting: (() => void)[] = [];
  let frames = 0;

  function flushAll(): void {
    const flushes = waiting;
    waiting = [];
    frames = 0;
    for (const flush of flushes) flush();
  }

  return {
    add: (flush) => {
      if (waiting.length === 0) setImmediate(flushAll);
      waiting.push(flush);
    },
    frame: () => {
      if (++frames >= MAX_FRAMES) flushAll();
    },
  };
}
