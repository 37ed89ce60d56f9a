/** Something that bytes wait for. */
export interface Waiter {
  waitingBytes(): number;
  /** Ends it, and frees what waits. */
  cut(): void;
}

export interface WaitingBound {
  /** More bytes wait than when they were last counted. */
  grew(by_bytes: number): void;
  /** Counts them all, and cuts off the worst if there are too many. */
  count(): void;
  /** About how many wait. */
  bytes(): number;
}

/**
 * Bounds the bytes that wait for all together. What was taken meanwhile is not told, so the sum is an upper bound, which
 * is counted anew when it reaches the maximum: each time after an eighth of it at least.
 */
export function waitingBound(max_bytes: number, all: () => Iterable<Waiter>): WaitingBound {
  const step = max_bytes / 8;
  let bytes = 0;
  let countAt = max_bytes;

  function count(): void {
    bytes = 0;
    for (const waiter of all()) bytes += waiter.waitingBytes();
    if (bytes > max_bytes) cutWorst();
    countAt = Math.max(max_bytes, bytes + step);
  }

  function cutWorst(): void {
    const waiters = Array.from(all(), (waiter) => ({ waiter, waits: waiter.waitingBytes() }));
    waiters.sort((a, b) => b.waits - a.waits);
    for (const { waiter, waits } of waiters) {
      if (bytes <= max_bytes - step) return;
      waiter.cut();
      bytes -= waits;
    }
  }

  return {
    count,
    bytes: () => bytes,
    grew: (by_bytes) => {
      bytes += by_bytes;
      if (bytes > countAt) count();
    },
  };
}
