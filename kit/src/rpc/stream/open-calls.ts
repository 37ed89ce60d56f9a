/** The open calls of a stream, by their IDs. */
export interface OpenCalls<T> {
  get(id: number): T | undefined;
  set(id: number, call: T): void;
  /** Removes and returns a call; undefined if there is none. */
  take(id: number): T | undefined;
  size(): number;
  /** All calls, in no order. */
  all(): [id: number, call: T][];
}

const FIRST_SLOTS = 64;
/** 2 ** 32 divided by the golden ratio: spreads IDs over the slots (Fibonacci hashing). */
const SPREAD = 0x9e3779b1;

/**
 * A hash table with linear probing, at most half full. A Map would keep calls in memory after they have ended: when a
 * Map with much turnover replaces its inner table, V8 links the old table to the new one. Once an old table is in
 * the old generation, the calls in all later tables live until a full garbage collection.
 */
export function openCalls<T extends object>(): OpenCalls<T> {
  let ids = new Uint32Array(FIRST_SLOTS);
  let calls: (T | undefined)[] = emptySlots(FIRST_SLOTS);
  let mask = FIRST_SLOTS - 1;
  let size = 0;

  function home(id: number): number {
    return (Math.imul(id, SPREAD) >>> 16) & mask;
  }

  /** The slot that has this ID, or the free slot for it. */
  function slotOf(id: number): number {
    let slot = home(id);
    while (calls[slot] !== undefined && ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  function set(id: number, call: T): void {
    const slot = slotOf(id);
    if (calls[slot] === undefined) size++;
    ids[slot] = id;
    calls[slot] = call;
    if (size * 2 > mask) grow();
  }

  function grow(): void {
    const present = all();
    mask = mask * 2 + 1;
    ids = new Uint32Array(mask + 1);
    calls = emptySlots(mask + 1);
    size = 0;
    for (const [id, call] of present) set(id, call);
  }

  function take(id: number): T | undefined {
    const slot = slotOf(id);
    const call = calls[slot];
    if (call === undefined) return undefined;
    calls[slot] = undefined;
    size--;
    closeGap(slot);
    return call;
  }

  /** Moves calls into the gap that are behind it only because it was taken. */
  function closeGap(gap: number): void {
    for (let slot = (gap + 1) & mask; calls[slot] !== undefined; slot = (slot + 1) & mask) {
      const id = ids[slot] as number;
      if (((slot - home(id)) & mask) < ((slot - gap) & mask)) continue;
      ids[gap] = id;
      calls[gap] = calls[slot];
      calls[slot] = undefined;
      gap = slot;
    }
  }

  function all(): [number, T][] {
    const present: [number, T][] = [];
    for (let slot = 0; slot <= mask; slot++) {
      const call = calls[slot];
      if (call !== undefined) present.push([ids[slot] as number, call]);
    }
    return present;
  }

  return { get: (id) => calls[slotOf(id)], set, take, size: () => size, all };
}

function emptySlots(count: number): undefined[] {
  return new Array<undefined>(count).fill(undefined);
}
