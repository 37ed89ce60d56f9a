const TICK_US = 1_000_000;
/** Over an hour ahead. A later slot is visited at the far end and scheduled again. */
const TICKS = 4096;
const NONE = -1;

/** Returns when the slot is really due, if that is still to come; undefined when the slot is finished. */
type Visit = (slot: number, now_us: number) => number | undefined;

/**
 * The slots 0 to `slots` - 1 by the second in which they are due, as a hashed timing wheel: scheduling a slot costs a few
 * writes, and nothing is sorted or searched. A slot is scheduled at most once at a time.
 */
export class ExpiryWheel {
  readonly #heads = new Int32Array(TICKS).fill(NONE);
  readonly #next: Int32Array;
  /** The slot before each; for the first of a tick, -1 minus the tick's place. */
  readonly #before: Int32Array;
  #cursor: number;

  constructor(slots: number, now_us: number) {
    this.#next = new Int32Array(slots);
    this.#before = new Int32Array(slots);
    this.#cursor = Math.floor(now_us / TICK_US);
  }

  schedule(slot: number, due_us: number): void {
    const due = Math.ceil(due_us / TICK_US);
    const tick = Math.min(Math.max(due, this.#cursor + 1), this.#cursor + TICKS - 1);
    const at = tick % TICKS;
    const after = this.#heads[at] ?? NONE;
    this.#next[slot] = after;
    if (after !== NONE) this.#before[after] = slot;
    this.#before[slot] = -1 - at;
    this.#heads[at] = slot;
  }

  /** Takes out a scheduled slot. */
  remove(slot: number): void {
    const after = this.#next[slot] ?? NONE;
    const ahead = this.#before[slot] ?? 0;
    if (ahead < 0) this.#heads[-1 - ahead] = after;
    else this.#next[ahead] = after;
    if (after !== NONE) this.#before[after] = ahead;
  }

  /**
   * Visits at most `budget` of the due slots, and schedules again those whose time is still to come. Returns whether the
   * budget ended the visit. A clock that jumps, either way, costs at most one turn of the wheel.
   */
  advance(now_us: number, budget: number, visit: Visit): boolean {
    const today = Math.floor(now_us / TICK_US);
    // Every slot lies within one turn of the cursor, so a turn that ends today misses none of them.
    this.#cursor = Math.min(Math.max(this.#cursor, today + 1 - TICKS), today + 1);
    let left = budget;
    while (this.#cursor <= today) {
      const slot = this.#heads[this.#cursor % TICKS] ?? NONE;
      if (slot === NONE) {
        this.#cursor++;
        continue;
      }
      if (left-- === 0) return true;
      this.remove(slot);
      const due_us = visit(slot, now_us);
      if (due_us !== undefined) this.schedule(slot, due_us);
    }
    return false;
  }
}
