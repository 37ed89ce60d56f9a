import { cancelled, unavailable } from '../fault.ts';

export interface FairBudgetOptions {
  /** Memory for all work in progress. */
  readonly max_bytes: number;
  /** Of that, memory for the work of one key. */
  readonly max_bytes_per_key: number;
  /** Maximum concurrent work, in total and per key. */
  readonly at_once: number;
  readonly at_once_per_key: number;
  /**
   * Maximum waiting work, in total and per key. When the queue is full, the key with the most waiting work loses its
   * newest piece to a key with less.
   */
  readonly max_waiting: number;
  readonly max_waiting_per_key: number;
  readonly wait_ms: number;
}

interface Waiter {
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** The running and waiting work of one key. */
interface Share {
  bytes: number;
  count: number;
  readonly waiting: Set<Waiter>;
}

/**
 * A budget of memory for expensive work. Keys, such as accounts, take turns: however much one key requests, the next
 * work of another waits for at most one piece of each key. Work that exceeds the whole budget runs alone; work that
 * exceeds the share of its key runs as the only one of that key.
 */
export class FairBudget {
  readonly #options: FairBudgetOptions;
  /** Keys with work, in the order of their turns. */
  readonly #shares = new Map<string, Share>();
  #bytes = 0;
  #count = 0;
  #waiting = 0;

  constructor(options: FairBudgetOptions) {
    this.#options = options;
  }

  /** Memory in use, running work, and waiting work. */
  get taken(): { readonly bytes: number; readonly count: number; readonly waiting: number } {
    return { bytes: this.#bytes, count: this.#count, waiting: this.#waiting };
  }

  /**
   * Takes memory for a piece of work when it is the turn of its key. Returns a function that releases the memory,
   * which may be called more than once.
   *
   * @throws SERVICE_UNAVAILABLE if the queue is full or the turn did not come in time; CANCELLED
   */
  async take(key: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    const share = this.#shares.get(key) ?? { bytes: 0, count: 0, waiting: new Set() };
    this.#shares.set(key, share);
    if (this.#waiting === 0 && this.#fitsShare(share, bytes) && this.#fitsBudget(bytes))
      this.#begin(share, bytes);
    else await this.#wait(key, share, bytes, signal);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      this.#giveBack(key, share, bytes);
    };
  }

  async #wait(key: string, share: Share, bytes: number, signal: AbortSignal): Promise<void> {
    const { max_waiting, max_waiting_per_key, wait_ms } = this.#options;
    if (
      share.waiting.size >= max_waiting_per_key ||
      (this.#waiting >= max_waiting && !this.#displaceFor(share))
    ) {
      this.#forgetIfIdle(key, share);
      throw tooMuchWaits();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Leaves the queue at once: work that is begun after its refusal would never release its memory.
    const refuse = (error: Error): void => {
      if (!share.waiting.delete(one)) return;
      this.#waiting--;
      reject(error);
      this.#forgetIfIdle(key, share);
      this.#beginNext(); // it may have blocked others
    };
    const one: Waiter = { bytes, begin: resolve, refuse };
    const timer = setTimeout(() => refuse(unavailable(new Error('there was no memory in time'))), wait_ms);
    const leave = () => refuse(cancelled());
    signal.addEventListener('abort', leave);
    share.waiting.add(one);
    this.#waiting++;
    this.#beginNext();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  /**
   * Refuses the newest work of the key with the most waiting work, if that key has more than the newcomer's would
   * have.
   */
  #displaceFor(newcomer: Share): boolean {
    let largest = newcomer;
    for (const share of this.#shares.values()) if (share.waiting.size > largest.waiting.size) largest = share;
    if (largest.waiting.size <= newcomer.waiting.size + 1) return false;
    [...largest.waiting].at(-1)?.refuse(tooMuchWaits());
    return true;
  }

  #giveBack(key: string, share: Share, bytes: number): void {
    share.bytes -= bytes;
    share.count--;
    this.#bytes -= bytes;
    this.#count--;
    this.#forgetIfIdle(key, share);
    this.#beginNext();
  }

  #forgetIfIdle(key: string, { count, waiting }: Share): void {
    if (count === 0 && waiting.size === 0) this.#shares.delete(key);
  }

  /** Skips keys whose share is used up. If the next key's work does not fit the budget, the room is kept for it. */
  #beginNext(): void {
    for (let again = this.#waiting > 0; again; ) {
      again = false;
      for (const [key, share] of [...this.#shares]) {
        const [one] = share.waiting;
        if (one === undefined || !this.#fitsShare(share, one.bytes)) continue;
        if (!this.#fitsBudget(one.bytes)) return;
        share.waiting.delete(one);
        this.#waiting--;
        this.#begin(share, one.bytes);
        // Its next turn comes after those of all other keys.
        this.#shares.delete(key);
        this.#shares.set(key, share);
        one.begin();
        again = true;
      }
    }
  }

  #begin(share: Share, bytes: number): void {
    share.bytes += bytes;
    share.count++;
    this.#bytes += bytes;
    this.#count++;
  }

  #fitsShare({ bytes: taken, count }: Share, bytes: number): boolean {
    const { at_once_per_key, max_bytes_per_key } = this.#options;
    return count === 0 || (count < at_once_per_key && taken + bytes <= max_bytes_per_key);
  }

  #fitsBudget(bytes: number): boolean {
    const { at_once, max_bytes } = this.#options;
    return this.#count === 0 || (this.#count < at_once && this.#bytes + bytes <= max_bytes);
  }
}

function tooMuchWaits(): Error {
  return unavailable(new Error('too much work waits for memory'));
}
