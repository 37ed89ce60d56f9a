const FIRST_SLOTS = 64;
/** 2 ** 32 divided by the golden ratio: multiplied by it, consecutive IDs spread over the slots (Fibonacci hashing). */
const SPREAD = 0x9e3779b1;

/**
 * The open calls of a stream, by ID: a hash table with linear probing, at most half full. A Map would keep calls in
 * memory after they have ended: when a Map with much turnover replaces its inner table, V8 links the old table to the
 * new one. Once an old table is in the old generation, the calls in all later tables live until a full garbage
 * collection.
 */
export class OpenCalls<T extends object> {
  #ids = new Uint32Array(FIRST_SLOTS);
  #calls: (T | undefined)[] = emptySlots(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): T | undefined {
    return this.#calls[this.#slotOf(id)];
  }

  set(id: number, call: T): void {
    const slot = this.#slotOf(id);
    if (this.#calls[slot] === undefined) this.#size++;
    this.#ids[slot] = id;
    this.#calls[slot] = call;
    if (this.#size * 2 > this.#mask) this.#grow();
  }

  /** Removes and returns a call. */
  take(id: number): T | undefined {
    const slot = this.#slotOf(id);
    const call = this.#calls[slot];
    if (call === undefined) return undefined;
    this.#calls[slot] = undefined;
    this.#size--;
    this.#closeGap(slot);
    return call;
  }

  /** All calls, in no particular order. */
  all(): [id: number, call: T][] {
    const present: [number, T][] = [];
    for (let slot = 0; slot <= this.#mask; slot++) {
      const call = this.#calls[slot];
      if (call !== undefined) present.push([this.#ids[slot] as number, call]);
    }
    return present;
  }

  #home(id: number): number {
    return (Math.imul(id, SPREAD) >>> 16) & this.#mask;
  }

  /** The slot that has this ID, or the free slot for it. */
  #slotOf(id: number): number {
    const calls = this.#calls;
    const ids = this.#ids;
    const mask = this.#mask;
    let slot = this.#home(id);
    while (calls[slot] !== undefined && ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const present = this.all();
    this.#mask = this.#mask * 2 + 1;
    this.#ids = new Uint32Array(this.#mask + 1);
    this.#calls = emptySlots(this.#mask + 1);
    this.#size = 0;
    for (const [id, call] of present) this.set(id, call);
  }

  /** Moves calls into the gap if probing from their home slot passes it, so that #slotOf still finds them. */
  #closeGap(start: number): void {
    const calls = this.#calls;
    const ids = this.#ids;
    const mask = this.#mask;
    let gap = start;
    for (let slot = (gap + 1) & mask; calls[slot] !== undefined; slot = (slot + 1) & mask) {
      const id = ids[slot] as number;
      if (((slot - this.#home(id)) & mask) < ((slot - gap) & mask)) continue;
      ids[gap] = id;
      calls[gap] = calls[slot];
      calls[slot] = undefined;
      gap = slot;
    }
  }
}

function emptySlots(count: number): undefined[] {
  return new Array<undefined>(count).fill(undefined);
}
