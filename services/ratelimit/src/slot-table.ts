/** Maps of a rule, so that growing one never stops the process for long. */
const SHARDS = 64;
const PAGE = 4096;

/** Which key of which rule has which slot. Slots are small integers that are used again. */
export interface SlotTable {
  find(rule: number, key: string, hash: number): number | undefined;
  /** A slot for a key that has none; undefined when all are taken. */
  insert(rule: number, key: string, hash: number): number | undefined;
  remove(slot: number): void;
  ruleOf(slot: number): number;
  size(): number;
}

export function slotTable(rules: number, slots: number): SlotTable {
  const maps: (Map<string, number> | undefined)[] = new Array(rules * SHARDS);
  const mapOf = new Uint32Array(slots);
  const keys: string[][] = [];
  const freed = new Int32Array(slots);
  let freedCount = 0;
  let used = 0; // slots from here on were never taken

  function takeSlot(): number | undefined {
    if (freedCount > 0) return freed[--freedCount];
    return used < slots ? used++ : undefined;
  }

  return {
    find: (rule, key, hash) => maps[rule * SHARDS + (hash % SHARDS)]?.get(key),

    insert: (rule, key, hash) => {
      const slot = takeSlot();
      if (slot === undefined) return undefined;
      const at = rule * SHARDS + (hash % SHARDS);
      let map = maps[at];
      if (map === undefined) {
        map = new Map();
        maps[at] = map;
      }
      map.set(key, slot);
      mapOf[slot] = at;
      pageOf(keys, slot)[slot % PAGE] = key;
      return slot;
    },

    remove: (slot) => {
      const page = pageOf(keys, slot);
      maps[mapOf[slot] ?? 0]?.delete(page[slot % PAGE] ?? '');
      page[slot % PAGE] = '';
      freed[freedCount++] = slot;
    },

    ruleOf: (slot) => Math.floor((mapOf[slot] ?? 0) / SHARDS),
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
