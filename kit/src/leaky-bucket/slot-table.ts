/** Maps of a rule, so that growing one never stops the process for long. */
const SHARDS = 64;
const PAGE = 4096;

/** Which key of which rule has which slot. Slots are small integers that are used again. */
export interface SlotTable {
  find(rule: number, key: string, hash: number): number | undefined;
  /** A slot for a key that has none; undefined when all are taken. */
  insert(rule: number, key: string, hash: number): number | undefined;
  remove(slot: number): void;
  /** The slots of a rule's keys. */
  slotsOf(rule: number): number[];
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
      return slot;
    },

    remove: (slot) => {
      const page = pageOf(keys, slot);
      rules[ruleOf[slot] ?? 0]?.[shardOf[slot] ?? 0]?.delete(page[slot % PAGE] ?? '');
      page[slot % PAGE] = '';
      freed[freedCount++] = slot;
    },

    slotsOf: (rule) => (rules[rule] ?? []).flatMap((shard) => [...shard.values()]),
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
