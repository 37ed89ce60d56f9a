import { levelAt, timeAt } from './bucket-level.ts';
import type { Rate } from './rate.ts';

interface EvictedLevel {
  readonly rate: Rate;
  readonly level: number;
  last_us: number;
}

/**
 * The levels of buckets that were evicted before they were empty: for each rule, kind and window only the highest one, which
 * drains or ends like a bucket. A key without a bucket may be an evicted one, so its new bucket starts at that level.
 */
export class EvictedLevels {
  /** By rule, then by window: slowmode has one for each interval. Fixed windows are below 0. */
  readonly #byRule: (Map<number, EvictedLevel> | undefined)[] = [];

  /** At most the rule's capacity; 0 if no bucket was evicted, or if all evicted ones would be empty by now. */
  level(index: number, rule: Rate, now_us: number): number {
    const windows = this.#byRule[index];
    const evicted = windows?.get(keyOf(rule));
    if (windows === undefined || evicted === undefined) return 0;
    evicted.last_us = Math.min(evicted.last_us, timeAt(rule, 0, now_us)); // the clock may have gone back
    const left = levelAt(rule, evicted.level, evicted.rate, evicted.last_us, now_us);
    if (left === 0) windows.delete(keyOf(rule));
    return Math.min(left, rule.capacity);
  }

  /** Records a bucket that is evicted at this level, under the rate of its last charge. */
  raise(index: number, rate: Rate, level: number, now_us: number): void {
    if (level <= this.level(index, rate, now_us)) return;
    let windows = this.#byRule[index];
    if (windows === undefined) {
      windows = new Map();
      this.#byRule[index] = windows;
    }
    windows.set(keyOf(rate), { rate, level, last_us: timeAt(rate, 0, now_us) });
  }

  /** Call it when the rule is removed. */
  clear(index: number): void {
    this.#byRule[index] = undefined;
  }
}

function keyOf({ kind, window_us }: Rate): number {
  return kind === 'fixed_window' ? -window_us : window_us;
}
