import { carried, drained, drainTime, type Rate } from './leaky-bucket.ts';

/** Of one cell: its level when it was last charged, when that was, and the rule that did. */
const LEVEL = 0;
const LAST = 1;
const WINDOW = 2;
const LIMIT = 3;
const CELL = 4;

/** The levels of buckets, in one typed array: a cell is half a line of the processor's cache. */
export interface BucketCells {
  /** What is in it at `now_us`, under this rule. */
  level(cell: number, rule: Rate, now_us: number): number;
  /** Lets no cell be ahead of a clock that went back. */
  turnBack(cell: number, now_us: number): void;
  set(cell: number, rule: Rate, level: number, now_us: number): void;
  clear(cell: number): void;
  /** Limit and window of the rule that charged it last. */
  rateOf(cell: number): Rate;
  /** Microseconds until it is completely empty, under the rule that charged it. */
  emptyAfter(cell: number, now_us: number): number;
}

export function bucketCells(count: number): BucketCells {
  const cells = new Float64Array(count * CELL);

  return {
    level: (cell, rule, now_us) => {
      const at = cell * CELL;
      const level = cells[at + LEVEL] ?? 0;
      if (level === 0) return 0;
      const last_us = cells[at + LAST] ?? 0;
      const window_us = cells[at + WINDOW] ?? 0;
      const limit = cells[at + LIMIT] ?? 0;
      if (window_us === rule.window_us && limit === rule.limit) return drained(rule, level, last_us, now_us);
      // Under the rule that charged it, it is empty: where traffic was heavier it would have left by now.
      if (drainTime({ limit }, level) <= now_us - last_us) return 0;
      return drained(rule, carried(rule, level, window_us), last_us, now_us);
    },

    turnBack: (cell, now_us) => {
      const at = cell * CELL + LAST;
      if ((cells[at] ?? 0) > now_us) cells[at] = now_us;
    },

    set: (cell, rule, level, now_us) => {
      const at = cell * CELL;
      cells[at + LEVEL] = level;
      cells[at + LAST] = now_us;
      cells[at + WINDOW] = rule.window_us;
      cells[at + LIMIT] = rule.limit;
    },

    clear: (cell) => {
      cells[cell * CELL + LEVEL] = 0;
    },

    rateOf: (cell) => {
      const limit = cells[cell * CELL + LIMIT] ?? 0;
      const window_us = cells[cell * CELL + WINDOW] ?? 0;
      return { limit, window_us, capacity: limit * window_us };
    },

    emptyAfter: (cell, now_us) => {
      const at = cell * CELL;
      const level = cells[at + LEVEL] ?? 0;
      if (level === 0) return 0;
      const elapsed_us = Math.max(0, now_us - (cells[at + LAST] ?? 0));
      return Math.max(0, drainTime({ limit: cells[at + LIMIT] ?? 0 }, level) - elapsed_us);
    },
  };
}
