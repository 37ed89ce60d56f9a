/** Maps of a rule, so that growing one never stops the process for long. */
const SHARDS = 64;
const PAGE = 4096;
const FIRST_LIST = 16;

/** Which key of which rule has which slot. Slots are small integers that are used again. */
export interface SlotTable {
  find(rule: number, key: string, hash: number): number | undefined;
  /** A slot for a key that has none; undefined when all are taken. */
  insert(rule: number, key: string, hash: number): number | undefined;
  remove(slot: number): void;
  /** Whose key has the slot. */
  ruleOf(slot: number): number;
  /** The slots of a rule's keys. */
  slotsOf(rule: number): readonly number[];
  /** How many there are. */
  countOf(rule: number): number;
  /** One of them by its place among them, from 0 to `countOf` - 1; which place a key has changes. */
  slotAt(rule: number, place: number): number;
  size(): number;
}

export function slotTable(slots: number): SlotTable {
  const rules: Map<string, number>[][] = [];
  const ruleOf = new Uint16Array(slots);
  const shardOf = new Uint8Array(slots);
  const keys: string[][] = [];
  const freed = new Int32Array(slots);
  let freedCount = 0;
  let used = 0; // slots from here on were never taken
  // The slots of each rule one behind the other, and where in its rule's list each slot stands.
  const lists: Int32Array[] = [];
  const counts: number[] = [];
  const placeOf = new Int32Array(slots);

  function takeSlot(): number | undefined {
    if (freedCount > 0) return freed[--freedCount];
    return used < slots ? used++ : undefined;
  }

  function shardsOf(rule: number): Map<string, number>[] {
    let shards = rules[rule];
    if (shards === undefined) {
      shards = Array.from({ length: SHARDS }, () => new Map<string, number>());
      rules[rule] = shards;
    }
    return shards;
  }

  function append(rule: number, slot: number): void {
    const place = counts[rule] ?? 0;
    let list = lists[rule] ?? new Int32Array(FIRST_LIST);
    if (place === list.length) {
      const longer = new Int32Array(2 * place);
      longer.set(list);
      list = longer;
    }
    lists[rule] = list;
    list[place] = slot;
    placeOf[slot] = place;
    counts[rule] = place + 1;
  }

  /** The last of the list takes the place. */
  function takeOut(rule: number, slot: number): void {
    const list = lists[rule];
    const last = (counts[rule] ?? 0) - 1;
    if (list === undefined || last < 0) return;
    const place = placeOf[slot] ?? 0;
    const moved = list[last] ?? 0;
    list[place] = moved;
    placeOf[moved] = place;
    counts[rule] = last;
  }

  return {
    find: (rule, key, hash) => rules[rule]?.[hash % SHARDS]?.get(key),

    insert: (rule, key, hash) => {
      const slot = takeSlot();
      if (slot === undefined) return undefined;
      const shard = hash % SHARDS;
      shardsOf(rule)[shard]?.set(key, slot);
      ruleOf[slot] = rule;
      shardOf[slot] = shard;
      pageOf(keys, slot)[slot % PAGE] = key;
      append(rule, slot);
      return slot;
    },

    remove: (slot) => {
      const page = pageOf(keys, slot);
      const rule = ruleOf[slot] ?? 0;
      rules[rule]?.[shardOf[slot] ?? 0]?.delete(page[slot % PAGE] ?? '');
      page[slot % PAGE] = '';
      takeOut(rule, slot);
      freed[freedCount++] = slot;
    },

    ruleOf: (slot) => ruleOf[slot] ?? 0,
    slotsOf: (rule) => [...(lists[rule]?.subarray(0, counts[rule]) ?? [])],
    countOf: (rule) => counts[rule] ?? 0,
    slotAt: (rule, place) => lists[rule]?.[place] ?? 0,
    size: () => used - freedCount,
  };
}

function pageOf(pages: string[][], slot: number): string[] {
  const at = Math.floor(slot / PAGE);
  let page = pages[at];
  if (page === undefined) {
    page = new Array<string>(PAGE).fill('');
    pages[at] = page;
  }
  return page;
}
