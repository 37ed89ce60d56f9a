import { cancelled, unavailable } from '../fault.ts';
import { type FairLineOptions, fairLine, type Waiting } from './fair-queue.ts';

export interface ConcurrencyOptions {
  /** How many run at one time. */
  readonly at_once: number;
  /** How many wait for their turn. One more is refused with UNAVAILABLE. */
  readonly max_waiting: number;
  /** How many of one origin wait, whatever its width. By default all. */
  readonly max_waiting_of_origin?: FairLineOptions['places_of_part'];
  readonly watch?: TurnWatch | undefined;
}

/** Who is told of work that waits for its turn. */
export interface TurnWatch {
  /** Told once how to ask how much waits. */
  waits(count: () => number): void;
  /** Work took so long, from when its turn had come. */
  worked(ms: number): void;
}

/** How work waits for its turn. */
export interface Turn {
  /** Origins take turns (`fairLine`); the widest is the first. Without any, work waits in the order of its arrival. */
  readonly from?: Waiting['from'];
  /** Work that still waits then is refused with UNAVAILABLE. In milliseconds of performance.now(). */
  readonly until_ms?: number;
}

export type Concurrency = <T>(work: () => Promise<T>, signal?: AbortSignal, turn?: Turn) => Promise<T>;

interface WaitingWork extends Waiting {
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs work a few at a time, the rest in turn. Work whose caller has gone is not begun, and gives up its place at once.
 */
export function concurrency(options: ConcurrencyOptions): Concurrency {
  const { at_once, max_waiting, max_waiting_of_origin, watch } = options;
  const line = fairLine<WaitingWork>({ places: max_waiting, places_of_part: max_waiting_of_origin });
  let free = at_once;
  watch?.waits(line.size);

  async function ownTurn(signal: AbortSignal | undefined, { from = [], until_ms }: Turn): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let leave: (() => void) | undefined;
    try {
      await new Promise<void>((begin, refuse) => {
        const own: WaitingWork = { from, begin, refuse };
        leave = () => line.remove(own) && refuse(cancelled());
        signal?.addEventListener('abort', leave, { once: true });
        if (until_ms !== undefined) {
          const late = () => line.remove(own) && refuse(unavailable(new Error('it waited too long')));
          timer = setTimeout(late, Math.max(until_ms - performance.now(), 0));
        }
        line.add(own)?.refuse(unavailable(new Error('too many are waiting already')));
      });
    } finally {
      clearTimeout(timer);
      if (leave !== undefined) signal?.removeEventListener('abort', leave);
    }
  }

  return async (work, signal, turn = {}) => {
    if (free > 0) free--;
    else if (signal?.aborted === true) throw cancelled();
    else await ownTurn(signal, turn);
    const startedAt = performance.now();
    try {
      if (signal?.aborted === true) throw cancelled();
      return await work();
    } finally {
      watch?.worked(performance.now() - startedAt);
      const next = line.next();
      if (next === undefined) free++;
      else next.begin();
    }
  };
}
