import { levelAt } from './bucket-level.ts';
import { drained, drainTicks, tickOf } from './leaky-bucket.ts';
import { type Rate, rateOf, tickFor } from './rate.ts';

/**
 * The numbers of one cell: its level, its time (bucket-level.ts), and the window and limit of its last charge's rule. The
 * window of a fixed window is stored below 0.
 */
const LEVEL = 0;
const LAST = 1;
const WINDOW = 2;
const LIMIT = 3;
const CELL = 4;

/** The levels of leaky buckets and fixed windows, in one typed array. A cell is half a cache line. */
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
    const isOfRule = cells[at + WINDOW] === rule.window_us && cells[at + LIMIT] === rule.limit;
    if (isOfRule && rule.kind === 'leaky_bucket') return drained(rule, level, last_us, now_us);
    return levelAt(rule, level, this.rateOf(cell), last_us, now_us);
  }

  /** The start of the cell's fixed window; 0 if it is empty or of another kind. */
  start(cell: number): number {
    const at = cell * CELL;
    const isCounting = (this.#cells[at + WINDOW] ?? 0) < 0 && (this.#cells[at + LEVEL] ?? 0) > 0;
    return isCounting ? (this.#cells[at + LAST] ?? 0) : 0;
  }

  /** Sets the time of a leaky bucket to `now_us` if it is later, since the clock went back. */
  capTime(cell: number, now_us: number): void {
    const at = cell * CELL;
    if ((this.#cells[at + LAST] ?? 0) <= now_us || (this.#cells[at + WINDOW] ?? 0) < 0) return;
    this.#cells[at + LAST] = tickOf(this.rateOf(cell), now_us);
  }

  /** @param last_us the time by `timeAt` */
  set(cell: number, rule: Rate, level: number, last_us: number): void {
    const cells = this.#cells;
    const at = cell * CELL;
    cells[at + LEVEL] = level;
    cells[at + LAST] = last_us;
    cells[at + WINDOW] = rule.kind === 'fixed_window' ? -rule.window_us : rule.window_us;
    cells[at + LIMIT] = rule.limit;
  }

  clear(cell: number): void {
    this.#cells[cell * CELL + LEVEL] = 0;
  }

  /** The rate of its last charge. */
  rateOf(cell: number): Rate {
    const limit = this.#cells[cell * CELL + LIMIT] ?? 0;
    const window_us = this.#cells[cell * CELL + WINDOW] ?? 0;
    return rateOf(limit, Math.abs(window_us), window_us < 0 ? 'fixed_window' : 'leaky_bucket');
  }

  /** Microseconds until it is completely empty, under the rule of its last charge. */
  emptyAfter(cell: number, now_us: number): number {
    const cells = this.#cells;
    const at = cell * CELL;
    const level = cells[at + LEVEL] ?? 0;
    if (level === 0) return 0;
    const last_us = cells[at + LAST] ?? 0;
    const limit = cells[at + LIMIT] ?? 0;
    const window_us = cells[at + WINDOW] ?? 0;
    if (window_us < 0) return Math.max(0, last_us - window_us - now_us);
    const elapsed_us = Math.max(0, now_us - last_us);
    return Math.max(0, drainTicks({ limit }, level) * tickFor(limit, window_us) - elapsed_us);
  }
}
