const TICK_US = 1_000_000;
/** The wheel's length, over an hour. A slot that is due later is visited after a turn and scheduled again. */
const TICKS = 4096;
const NONE = -1;

/** Handles a due slot. Returns the time at which it is due again; undefined if it is done. */
type Visit = (slot: number, now_us: number) => number | undefined;

/**
 * A hashed timing wheel: the slots 0 to `slots` - 1 by the second in which they are due. Scheduling a slot costs a few
 * writes, and nothing is sorted or searched. A slot is scheduled at most once at a time.
 */
export class ExpiryWheel {
  readonly #heads = new Int32Array(TICKS).fill(NONE);
  readonly #next: Int32Array;
  /** The previous slot of the same tick; for the first slot, -1 minus the tick's index in `#heads`. */
  readonly #previous: Int32Array;
  #cursor: number;

  constructor(slots: number, now_us: number) {
    this.#next = new Int32Array(slots);
    this.#previous = new Int32Array(slots);
    this.#cursor = Math.floor(now_us / TICK_US);
  }

  schedule(slot: number, due_us: number): void {
    const due = Math.ceil(due_us / TICK_US);
    const tick = Math.min(Math.max(due, this.#cursor + 1), this.#cursor + TICKS - 1);
    const at = tick % TICKS;
    const next = this.#heads[at] ?? NONE;
    this.#next[slot] = next;
    if (next !== NONE) this.#previous[next] = slot;
    this.#previous[slot] = -1 - at;
    this.#heads[at] = slot;
  }

  /** Removes a scheduled slot. */
  remove(slot: number): void {
    const next = this.#next[slot] ?? NONE;
    const previous = this.#previous[slot] ?? 0;
    if (previous < 0) this.#heads[-1 - previous] = next;
    else this.#next[previous] = next;
    if (next !== NONE) this.#previous[next] = previous;
  }

  /**
   * Visits at most `budget` due slots, and schedules those that are due again. Returns whether due slots are left. A clock
   * that jumps, either way, costs at most one turn of the wheel.
   */
  advance(now_us: number, budget: number, visit: Visit): boolean {
    const current = Math.floor(now_us / TICK_US);
    // Every slot lies within one turn of the cursor, so a turn that ends at the current tick misses none of them.
    this.#cursor = Math.min(Math.max(this.#cursor, current + 1 - TICKS), current + 1);
    let left = budget;
    while (this.#cursor <= current) {
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
