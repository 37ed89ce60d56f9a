import type { Logger } from '@gatehouse/kit/log';
import type { MicrosecondClock } from './clock.ts';
import type { MemoryStore } from './memory-store.ts';

const EVERY_MS = 1000;
/** Buckets let go in one turn of the event loop: about a millisecond. */
const TURN = 1000;
const WARN_EVERY_US = 60_000_000;

/** Lets empty buckets leave where no traffic does it, and says when the store is full. */
export function sweeper(store: MemoryStore, now_us: MicrosecondClock, log: Logger): { close(): void } {
  let next: NodeJS.Immediate | undefined;
  let warned = { at_us: -WARN_EVERY_US, evicted: 0 };

  function turn(): void {
    const more = store.sweep(TURN);
    next = more ? setImmediate(turn) : undefined;
  }

  function warnIfFull(): void {
    const at_us = now_us();
    const evicted = store.evicted();
    if (evicted === warned.evicted || at_us - warned.at_us < WARN_EVERY_US) return;
    const leaving = evicted - warned.evicted;
    log.warn(
      { buckets: store.size(), evicted: leaving },
      'the store is full: buckets leave before they are empty',
    );
    warned = { at_us, evicted };
  }

  const timer = setInterval(() => {
    if (next === undefined) turn();
    warnIfFull();
  }, EVERY_MS).unref();

  return {
    close: () => {
      clearInterval(timer);
      clearImmediate(next);
    },
  };
}
