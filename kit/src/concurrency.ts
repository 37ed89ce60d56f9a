import { cancelled, unavailable } from './fault.ts';

export interface ConcurrencyOptions {
  /** How many run at one time. */
  readonly at_once: number;
  /** How many wait for their turn. One more is refused with UNAVAILABLE. */
  readonly max_waiting: number;
  readonly watch?: TurnWatch | undefined;
}

/** Who is told of work that waits for its turn. */
export interface TurnWatch {
  /** Told once how to ask how much waits. */
  waits(count: () => number): void;
  /** Work took so long, from when its turn had come. */
  worked(ms: number): void;
}

export type Concurrency = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs work a few at a time, the rest in the order of its arrival. Work whose caller has gone by the time its
 * turn comes is not begun.
 */
export function concurrency({ at_once, max_waiting, watch }: ConcurrencyOptions): Concurrency {
  const waiting: (() => void)[] = [];
  let free = at_once;
  watch?.waits(() => waiting.length);
  return async (work, signal) => {
    if (free > 0) {
      free--;
    } else {
      if (waiting.length >= max_waiting) throw unavailable(new Error(`${max_waiting} are waiting already`));
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const startedAt = performance.now();
    try {
      if (signal?.aborted === true) throw cancelled();
      return await work();
    } finally {
      watch?.worked(performance.now() - startedAt);
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
