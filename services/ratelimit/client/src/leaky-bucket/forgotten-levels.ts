import { drained, type Rate } from './leaky-bucket.ts';

/**
 * What may have been in buckets that had to leave a full store before they were empty: for each rule and
 * window the highest level that left, which drains like theirs. Whoever comes without a bucket may be one of
 * those, and begins there.
 */
export interface ForgottenLevels {
  /** At most the rule's capacity; 0 where none had to leave, or all of them would be empty by now. */
  level(index: number, rule: Rate, now_us: number): number;
  /** A bucket leaves with so much in it, under the rate that it was charged by. */
  raise(index: number, rate: Rate, level: number, now_us: number): void;
  /** The rule is gone. */
  clear(index: number): void;
}

interface Forgotten {
  level: number;
  last_us: number;
}

export function forgottenLevels(): ForgottenLevels {
  // By rule, then by window: slowmode has one for each interval.
  const byRule: (Map<number, Forgotten> | undefined)[] = [];

  function level(index: number, rule: Rate, now_us: number): number {
    const windows = byRule[index];
    const forgotten = windows?.get(rule.window_us);
    if (windows === undefined || forgotten === undefined) return 0;
    forgotten.last_us = Math.min(forgotten.last_us, now_us); // the clock may have gone back
    const left = drained(rule, forgotten.level, forgotten.last_us, now_us);
    if (left === 0) windows.delete(rule.window_us);
    return Math.min(left, rule.capacity);
  }

  function raise(index: number, rate: Rate, leaving: number, now_us: number): void {
    if (leaving <= level(index, rate, now_us)) return;
    let windows = byRule[index];
    if (windows === undefined) {
      windows = new Map();
      byRule[index] = windows;
    }
    windows.set(rate.window_us, { level: leaving, last_us: now_us });
  }

  return {
    level,
    raise,
    clear: (index) => {
      byRule[index] = undefined;
    },
  };
}
