import { carried, drained, drainTime } from './leaky-bucket.ts';
import type { BucketRule } from './store.ts';

/** Shared cells of one rule, for callers who find the store full. */
const SHARED = 256;
/** Of one cell: its level when it was last charged, when that was, and the rule that did. */
const LEVEL = 0;
const LAST = 1;
const WINDOW = 2;
const LIMIT = 3;
const CELL = 4;

/**
 * The levels of buckets, in typed arrays: a cell is half a line of the processor's cache. Cells from 0
 * to `own_cells` - 1 are given out one by one; behind them each rule has 256 shared ones, made when the
 * first is charged.
 */
export interface BucketCells {
  /** The shared cell of an identity. */
  sharedCell(rule: BucketRule, hash: number): number;
  isShared(cell: number): boolean;
  /** What is in it at `now_us`, under this rule. */
  level(cell: number, rule: BucketRule, now_us: number): number;
  /** Lets no cell be ahead of a clock that went back. */
  turnBack(cell: number, now_us: number): void;
  set(cell: number, rule: BucketRule, level: number, now_us: number): void;
  clear(cell: number): void;
  clearShared(rule: BucketRule): void;
  /** Microseconds until it is completely empty, under the rule that charged it. */
  emptyAfter(cell: number, now_us: number): number;
}

export function bucketCells(own_cells: number): BucketCells {
  const own = new Float64Array(own_cells * CELL);
  const shared: (Float64Array | undefined)[] = []; // by rule

  function pageOf(cell: number): Float64Array | undefined {
    return cell < own_cells ? own : shared[Math.floor((cell - own_cells) / SHARED)];
  }

  function placeOf(cell: number): number {
    return (cell < own_cells ? cell : (cell - own_cells) % SHARED) * CELL;
  }

  function write(page: Float64Array, at: number, rule: BucketRule, level: number, now_us: number): void {
    page[at + LEVEL] = level;
    page[at + LAST] = now_us;
    page[at + WINDOW] = rule.window_us;
    page[at + LIMIT] = rule.limit;
  }

  return {
    sharedCell: (rule, hash) => own_cells + rule.index * SHARED + (hash % SHARED),
    isShared: (cell) => cell >= own_cells,

    level: (cell, rule, now_us) => {
      const page = pageOf(cell);
      const at = placeOf(cell);
      const level = page?.[at + LEVEL] ?? 0;
      if (page === undefined || level === 0) return 0;
      const last_us = page[at + LAST] ?? 0;
      const window_us = page[at + WINDOW] ?? 0;
      const limit = page[at + LIMIT] ?? 0;
      if (page !== own) return sharedLevel(level, Math.min(limit, rule.limit), now_us - last_us);
      if (window_us === rule.window_us && limit === rule.limit) return drained(rule, level, last_us, now_us);
      // Under the rule that charged it, it is empty: where traffic was heavier it would have left by now.
      if (drainTime({ limit }, level) <= now_us - last_us) return 0;
      return drained(rule, carried(rule, level, window_us), last_us, now_us);
    },

    turnBack: (cell, now_us) => {
      const page = pageOf(cell);
      const at = placeOf(cell) + LAST;
      if (page !== undefined && (page[at] ?? 0) > now_us) page[at] = now_us;
    },

    set: (cell, rule, level, now_us) => {
      let page = pageOf(cell);
      if (page === undefined) {
        page = new Float64Array(SHARED * CELL);
        shared[rule.index] = page;
      }
      write(page, placeOf(cell), rule, level, now_us);
    },

    clear: (cell) => {
      const page = pageOf(cell);
      if (page !== undefined) page[placeOf(cell) + LEVEL] = 0;
    },

    clearShared: (rule) => {
      shared[rule.index] = undefined;
    },

    emptyAfter: (cell, now_us) => {
      const page = pageOf(cell);
      const at = placeOf(cell);
      const level = page?.[at + LEVEL] ?? 0;
      if (page === undefined || level === 0) return 0;
      const elapsed_us = Math.max(0, now_us - (page[at + LAST] ?? 0));
      return Math.max(0, drainTime({ limit: page[at + LIMIT] ?? 0 }, level) - elapsed_us);
    },
  };
}

/**
 * Those who share a cell may have windows of their own (slowmode) or have charged it together beyond the
 * capacity: nothing is cut off, and all wait until what is in it has drained.
 */
function sharedLevel(level: number, limit: number, elapsed_us: number): number {
  return Math.max(0, level - Math.max(0, elapsed_us) * limit);
}
