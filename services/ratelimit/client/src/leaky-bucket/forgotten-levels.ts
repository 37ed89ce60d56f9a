import { drained, type Rate } from './leaky-bucket.ts';

interface Forgotten {
  level: number;
  last_us: number;
}

/**
 * The levels of buckets that had to leave a full store before they were empty: for each rule and window the highest
 * one, which drains like a bucket. A charge without a bucket may belong to one of those, so it begins at that level.
 */
export class ForgottenLevels {
  /** By rule, then by window: slowmode has one for each interval. */
  readonly #byRule: (Map<number, Forgotten> | undefined)[] = [];

  /** At most the rule's capacity; 0 if no bucket had to leave, or all of them would be empty by now. */
  level(index: number, rule: Rate, now_us: number): number {
    const windows = this.#byRule[index];
    const forgotten = windows?.get(rule.window_us);
    if (windows === undefined || forgotten === undefined) return 0;
    forgotten.last_us = Math.min(forgotten.last_us, now_us); // the clock may have gone back
    const left = drained(rule, forgotten.level, forgotten.last_us, now_us);
    if (left === 0) windows.delete(rule.window_us);
    return Math.min(left, rule.capacity);
  }

  /** Notes a bucket that leaves at this level, under the rate of its last charge. */
  raise(index: number, rate: Rate, level: number, now_us: number): void {
    if (level <= this.level(index, rate, now_us)) return;
    let windows = this.#byRule[index];
    if (windows === undefined) {
      windows = new Map();
      this.#byRule[index] = windows;
    }
    windows.set(rate.window_us, { level, last_us: now_us });
  }

  /** To be called when the rule is removed. */
  clear(index: number): void {
    this.#byRule[index] = undefined;
  }
}
