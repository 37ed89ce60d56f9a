const TICK_US = 1_000_000;
/** Over an hour ahead; what is due later is met at the far end and scheduled again. */
const TICKS = 4096;
const NONE = -1;

/** Says when the slot is really due, if that is still to come; undefined: it is done with. */
type Visit = (slot: number, now_us: number) => number | undefined;

/**
 * Slots by the second they are due, as a hashed timing wheel: to schedule one costs a few writes, and
 * nothing is ever sorted or searched.
 */
export interface ExpiryWheel {
  schedule(slot: number, due_us: number): void;
  /** A slot that is scheduled is due no more. */
  remove(slot: number): void;
  /**
   * Visits the slots that are due, at most `budget` of them, and schedules again those whose time is
   * still to come. Returns whether the budget ended the visit. A clock that jumps, either way, costs at
   * most one turn of the wheel.
   */
  advance(now_us: number, budget: number, visit: Visit): boolean;
}

/** A wheel for the slots 0 to `slots` - 1, each scheduled at most once at a time. */
export function expiryWheel(slots: number, now_us: number): ExpiryWheel {
  const heads = new Int32Array(TICKS).fill(NONE);
  const next = new Int32Array(slots);
  /** The slot before it; of the first of a tick, the tick's place counted down from -1. */
  const before = new Int32Array(slots);
  let cursor = Math.floor(now_us / TICK_US);

  function schedule(slot: number, due_us: number): void {
    const due = Math.ceil(due_us / TICK_US);
    const tick = Math.min(Math.max(due, cursor + 1), cursor + TICKS - 1);
    const at = tick % TICKS;
    const after = heads[at] ?? NONE;
    next[slot] = after;
    if (after !== NONE) before[after] = slot;
    before[slot] = -1 - at;
    heads[at] = slot;
  }

  function remove(slot: number): void {
    const after = next[slot] ?? NONE;
    const ahead = before[slot] ?? 0;
    if (ahead < 0) heads[-1 - ahead] = after;
    else next[ahead] = after;
    if (after !== NONE) before[after] = ahead;
  }

  function advance(now_us: number, budget: number, visit: Visit): boolean {
    const today = Math.floor(now_us / TICK_US);
    // Every slot lies within one turn of the cursor, so a turn that ends today misses none of them.
    cursor = Math.min(Math.max(cursor, today + 1 - TICKS), today + 1);
    let left = budget;
    while (cursor <= today) {
      const at = cursor % TICKS;
      const slot = heads[at] ?? NONE;
      if (slot === NONE) {
        cursor++;
        continue;
      }
      if (left-- === 0) return true;
      remove(slot);
      const due_us = visit(slot, now_us);
      if (due_us !== undefined) schedule(slot, due_us);
    }
    return false;
  }

  return { schedule, remove, advance };
}
