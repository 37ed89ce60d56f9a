import { drained, drainTime, type Rate, rescaled } from './leaky-bucket.ts';

/** The numbers of one cell: its level at its last charge, the time of that charge, and the rule's window and limit. */
const LEVEL = 0;
const LAST = 1;
const WINDOW = 2;
const LIMIT = 3;
const CELL = 4;

/** The levels of buckets, in one typed array. A cell is half a cache line. */
export class BucketCells {
  readonly #cells: Float64Array;

  constructor(count: number) {
    this.#cells = new Float64Array(count * CELL);
  }

  /** The level at `now_us`, under this rule. */
  level(cell: number, rule: Rate, now_us: number): number {
    const cells = this.#cells;
    const at = cell * CELL;
    const level = cells[at + LEVEL] ?? 0;
    if (level === 0) return 0;
    const last_us = cells[at + LAST] ?? 0;
    const window_us = cells[at + WINDOW] ?? 0;
    const limit = cells[at + LIMIT] ?? 0;
    if (window_us === rule.window_us && limit === rule.limit) return drained(rule, level, last_us, now_us);
    // Empty under the rule of its last charge: it could have been removed by now.
    if (drainTime({ limit }, level) <= now_us - last_us) return 0;
    return drained(rule, rescaled(rule, level, window_us), last_us, now_us);
  }

  /** Sets the time of the last charge to `now_us` if it is later, since the clock went back. */
  capTime(cell: number, now_us: number): void {
    const at = cell * CELL + LAST;
    if ((this.#cells[at] ?? 0) > now_us) this.#cells[at] = now_us;
  }

  set(cell: number, rule: Rate, level: number, now_us: number): void {
    const cells = this.#cells;
    const at = cell * CELL;
    cells[at + LEVEL] = level;
    cells[at + LAST] = now_us;
    cells[at + WINDOW] = rule.window_us;
    cells[at + LIMIT] = rule.limit;
  }

  clear(cell: number): void {
    this.#cells[cell * CELL + LEVEL] = 0;
  }

  /** Limit and window of the rule of its last charge. */
  rateOf(cell: number): Rate {
    const limit = this.#cells[cell * CELL + LIMIT] ?? 0;
    const window_us = this.#cells[cell * CELL + WINDOW] ?? 0;
    return { limit, window_us, capacity: limit * window_us };
  }

  /** Microseconds until it is completely empty, under the rule of its last charge. */
  emptyAfter(cell: number, now_us: number): number {
    const cells = this.#cells;
    const at = cell * CELL;
    const level = cells[at + LEVEL] ?? 0;
    if (level === 0) return 0;
    const elapsed_us = Math.max(0, now_us - (cells[at + LAST] ?? 0));
    return Math.max(0, drainTime({ limit: cells[at + LIMIT] ?? 0 }, level) - elapsed_us);
  }
}
