import type { SlotTable } from './slot-table.ts';

const SIZE = 64;
/** Slots evicted for a whole sample. */
const EVICTED_AT_ONCE = 8;

/** A random sample of a rule's slots. Those whose buckets are empty soonest are evicted. */
export class EvictionSample {
  readonly #slots = new Int32Array(SIZE);
  /** The time until each is empty; infinite for one that was taken. */
  readonly #waits_us = new Float64Array(SIZE);

  /**
   * Draws slots of a rule, possibly one more than once.
   *
   * @returns the number of slots to evict, fewer if the rule has few
   */
  draw(table: SlotTable, rule: number, emptyAfter: (slot: number) => number): number {
    const count = table.countOf(rule);
    for (let i = 0; i < SIZE; i++) {
      const slot = table.slotAt(rule, Math.floor(Math.random() * count));
      this.#slots[i] = slot;
      this.#waits_us[i] = emptyAfter(slot);
    }
    return Math.ceil((EVICTED_AT_ONCE * Math.min(count, SIZE)) / SIZE);
  }

  /** Takes the slot that is empty soonest; undefined if all drawn slots were taken. */
  take(): number | undefined {
    const soonest = leastOf(this.#waits_us);
    if (this.#waits_us[soonest] === Number.POSITIVE_INFINITY) return undefined;
    const slot = this.#slots[soonest];
    for (let i = 0; i < SIZE; i++) if (this.#slots[i] === slot) this.#waits_us[i] = Number.POSITIVE_INFINITY;
    return slot;
  }
}

function leastOf(values: Float64Array): number {
  let least = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) < (values[least] ?? 0)) least = i;
  return least;
}
