import { cancelled, unavailable } from '../fault.ts';
import { FairQueue, type FairQueueOptions, type QueuedItem } from './fair-queue.ts';

export interface ConcurrencyOptions {
  /** Maximum concurrent work. */
  readonly at_once: number;
  /** Maximum waiting work; further work is refused with UNAVAILABLE. */
  readonly max_waiting: number;
  /** Maximum waiting work of one origin, whatever its size. Default: unlimited. */
  readonly max_waiting_per_origin?: FairQueueOptions['max_items_per_group'];
  readonly watch?: ConcurrencyWatch | undefined;
}

/** Observes the queue, for metrics. */
export interface ConcurrencyWatch {
  /** Called once, with a function that counts the waiting work. */
  watchQueue(count: () => number): void;
  /** Called with how long a piece of work took, without its waiting time. */
  worked(ms: number): void;
}

/** How a piece of work waits. */
export interface QueueOptions {
  /**
   * The origins of the work, the widest first. They take turns (./fair-queue.ts). By default work runs in the order of
   * its arrival.
   */
  readonly from?: QueuedItem['from'];
  /** Work that still waits at this time, by performance.now(), is refused with UNAVAILABLE. */
  readonly until_ms?: number;
}

export type Concurrency = <T>(
  work: () => Promise<T>,
  signal?: AbortSignal,
  queueOptions?: QueueOptions,
) => Promise<T>;

interface QueuedWork extends QueuedItem {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Limits how much work runs at once; the rest waits. Work of a caller that is gone is not begun, and leaves the queue
 * at once.
 */
export function concurrency(options: ConcurrencyOptions): Concurrency {
  const { at_once, max_waiting, max_waiting_per_origin, watch } = options;
  const queue = new FairQueue<QueuedWork>({
    max_items: max_waiting,
    max_items_per_group: max_waiting_per_origin,
  });
  let free = at_once;
  watch?.watchQueue(() => queue.size);

  async function waitInQueue(
    signal: AbortSignal | undefined,
    { from = [], until_ms }: QueueOptions,
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let leave: (() => void) | undefined;
    try {
      await new Promise<void>((begin, refuse) => {
        const own: QueuedWork = { from, begin, refuse };
        leave = () => queue.remove(own) && refuse(cancelled());
        signal?.addEventListener('abort', leave, { once: true });
        if (until_ms !== undefined) {
          const late = () => queue.remove(own) && refuse(unavailable(new Error('it waited too long')));
          timer = setTimeout(late, Math.max(until_ms - performance.now(), 0));
        }
        queue.add(own)?.refuse(unavailable(new Error('too many are waiting already')));
      });
    } finally {
      clearTimeout(timer);
      if (leave !== undefined) signal?.removeEventListener('abort', leave);
    }
  }

  return async (work, signal, queueOptions = {}) => {
    if (free > 0) free--;
    else if (signal?.aborted === true) throw cancelled();
    else await waitInQueue(signal, queueOptions);
    const startedAt = performance.now();
    try {
      if (signal?.aborted === true) throw cancelled();
      return await work();
    } finally {
      watch?.worked(performance.now() - startedAt);
      const next = queue.next();
      if (next === undefined) free++;
      else next.begin();
    }
  };
}
