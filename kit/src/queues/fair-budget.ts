import { cancelled, unavailable } from '../fault.ts';

export interface FairBudgetOptions {
  /** Memory that all the work under way may take. */
  readonly max_bytes: number;
  /** Of that, what the work of one key may take. */
  readonly max_bytes_per_key: number;
  /** How much work is under way at once, in all and of one key. */
  readonly at_once: number;
  readonly at_once_per_key: number;
  /** How much work waits, in all and of one key. Past the first, keys give up places that have more of them than another. */
  readonly max_waiting: number;
  readonly max_waiting_per_key: number;
  readonly wait_ms: number;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** What one key has under way and waiting. */
interface Share {
  bytes: number;
  count: number;
  readonly waiting: Set<Waiting>;
}

/**
 * A budget of memory for work that needs much of it. Keys, such as accounts, take turns: however much one asks for, the
 * next piece of work of another waits for one piece of each key at most. Work that is larger than the whole budget runs
 * alone, and work that is larger than the share of its key runs as the only one of that key.
 */
export class FairBudget {
  readonly #options: FairBudgetOptions;
  /** Keys that have work, in the order of their turns. */
  readonly #shares = new Map<string, Share>();
  #bytes = 0;
  #count = 0;
  #waiting = 0;

  constructor(options: FairBudgetOptions) {
    this.#options = options;
  }

  /** How much memory is taken, how much work is under way, and how much waits. */
  get taken(): { readonly bytes: number; readonly count: number; readonly waiting: number } {
    return { bytes: this.#bytes, count: this.#count, waiting: this.#waiting };
  }

  /**
   * Takes memory for a piece of work, as soon as it is the turn of its key. Gives what gives it back, which may be called
   * more than once.
   *
   * @throws SERVICE_UNAVAILABLE if too much waits already, or its turn did not come in time; CANCELLED
   */
  async take(key: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    const share = this.#shares.get(key) ?? { bytes: 0, count: 0, waiting: new Set() };
    this.#shares.set(key, share);
    if (this.#waiting === 0 && this.#fits(share, bytes) && this.#hasRoom(bytes)) this.#begin(share, bytes);
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
    // It leaves the line at once: what is begun after it was refused would never give its memory back.
    const refuse = (error: Error): void => {
      if (!share.waiting.delete(one)) return;
      this.#waiting--;
      reject(error);
      this.#forgetIfIdle(key, share);
      this.#beginNext(); // it may have been in the way of others
    };
    const one: Waiting = { bytes, begin: resolve, refuse };
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

  /** Refuses the newest work of the key that has most waiting, if it has more than the newcomer's key with the newcomer. */
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

  /** A key whose share is used up is passed over. One whose work finds no room holds the room for it. */
  #beginNext(): void {
    for (let again = this.#waiting > 0; again; ) {
      again = false;
      for (const [key, share] of [...this.#shares]) {
        const [one] = share.waiting;
        if (one === undefined || !this.#fits(share, one.bytes)) continue;
        if (!this.#hasRoom(one.bytes)) return;
        share.waiting.delete(one);
        this.#waiting--;
        this.#begin(share, one.bytes);
        // Its next turn comes after that of all others.
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

  #fits({ bytes: taken, count }: Share, bytes: number): boolean {
    const { at_once_per_key, max_bytes_per_key } = this.#options;
    return count === 0 || (count < at_once_per_key && taken + bytes <= max_bytes_per_key);
  }

  #hasRoom(bytes: number): boolean {
    const { at_once, max_bytes } = this.#options;
    return this.#count === 0 || (this.#count < at_once && this.#bytes + bytes <= max_bytes);
  }
}

function tooMuchWaits(): Error {
  return unavailable(new Error('too much work waits for memory'));
}
