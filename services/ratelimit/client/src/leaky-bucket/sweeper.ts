import type { Logger } from '../logger.ts';
import type { MicrosecondClock } from './clock.ts';
import type { MemoryStore } from './memory-store.ts';

const SWEEP_EVERY_MS = 1000;
/** Buckets removed in one turn of the event loop: about a millisecond. */
const BUCKETS_PER_TURN = 1000;
const WARN_EVERY_US = 60_000_000;

/** Removes empty buckets without traffic, and logs evictions. */
export class Sweeper {
  readonly #store: MemoryStore;
  readonly #now_us: MicrosecondClock;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #nextTurn: NodeJS.Immediate | undefined;
  #warnedAt_us = -WARN_EVERY_US;
  #warnedEvicted = 0;

  constructor(store: MemoryStore, now_us: MicrosecondClock, log: Logger) {
    this.#store = store;
    this.#now_us = now_us;
    this.#log = log;
    this.#timer = setInterval(() => {
      if (this.#nextTurn === undefined) this.#turn();
      this.#warnIfFull();
    }, SWEEP_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#nextTurn);
  }

  #turn(): void {
    const hasMore = this.#store.sweep(BUCKETS_PER_TURN);
    this.#nextTurn = hasMore ? setImmediate(() => this.#turn()) : undefined;
  }

  #warnIfFull(): void {
    const at_us = this.#now_us();
    const evicted = this.#store.evicted() - this.#warnedEvicted;
    if (evicted === 0 || at_us - this.#warnedAt_us < WARN_EVERY_US) return;
    this.#log.warn(
      { buckets: this.#store.size(), evicted },
      'the store is full: buckets are evicted before they are empty',
    );
    this.#warnedAt_us = at_us;
    this.#warnedEvicted += evicted;
  }
}
