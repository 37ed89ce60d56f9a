/** Maps of a rule. Each stays small, so that growing one takes little time. */
const SHARDS = 64;
const PAGE_LENGTH = 4096;
const INITIAL_LIST_LENGTH = 16;

/** The slot of each key of each rule. Slots are small integers, and are reused. */
export class SlotTable {
  readonly #max: number;
  /** By rule and shard; most rules have few keys, and so few maps. */
  readonly #maps: (Map<string, number> | undefined)[][] = [];
  readonly #ruleOf: Uint32Array;
  readonly #shardOf: Uint8Array;
  readonly #keys: string[][] = [];
  readonly #freed: Int32Array;
  #freedCount = 0;
  /** Slots from here on were never taken. */
  #used = 0;
  /** The slots of each rule in one list, and each slot's index in its rule's list. */
  readonly #lists: Int32Array[] = [];
  readonly #counts: number[] = [];
  readonly #indexOf: Int32Array;

  constructor(max_slots: number) {
    this.#max = max_slots;
    this.#ruleOf = new Uint32Array(max_slots);
    this.#shardOf = new Uint8Array(max_slots);
    this.#freed = new Int32Array(max_slots);
    this.#indexOf = new Int32Array(max_slots);
  }

  find(rule: number, key: string, hash: number): number | undefined {
    return this.#maps[rule]?.[hash % SHARDS]?.get(key);
  }

  /** A slot for a key that has none; undefined if all are taken. */
  insert(rule: number, key: string, hash: number): number | undefined {
    const slot = this.#takeSlot();
    if (slot === undefined) return undefined;
    const shard = hash % SHARDS;
    this.#mapOf(rule, shard).set(key, slot);
    this.#ruleOf[slot] = rule;
    this.#shardOf[slot] = shard;
    pageOf(this.#keys, slot)[slot % PAGE_LENGTH] = key;
    this.#append(rule, slot);
    return slot;
  }

  remove(slot: number): void {
    const page = pageOf(this.#keys, slot);
    const rule = this.#ruleOf[slot] ?? 0;
    this.#maps[rule]?.[this.#shardOf[slot] ?? 0]?.delete(page[slot % PAGE_LENGTH] ?? '');
    page[slot % PAGE_LENGTH] = '';
    this.#removeFromList(rule, slot);
    this.#freed[this.#freedCount++] = slot;
  }

  ruleOf(slot: number): number {
    return this.#ruleOf[slot] ?? 0;
  }

  slotsOf(rule: number): readonly number[] {
    return [...(this.#lists[rule]?.subarray(0, this.#counts[rule]) ?? [])];
  }

  /** The number of a rule's slots. */
  countOf(rule: number): number {
    return this.#counts[rule] ?? 0;
  }

  /** A slot of a rule by its index, from 0 to `countOf` - 1. Indexes change with each removal. */
  slotAt(rule: number, index: number): number {
    return this.#lists[rule]?.[index] ?? 0;
  }

  size(): number {
    return this.#used - this.#freedCount;
  }

  #takeSlot(): number | undefined {
    if (this.#freedCount > 0) return this.#freed[--this.#freedCount];
    return this.#used < this.#max ? this.#used++ : undefined;
  }

  #mapOf(rule: number, shard: number): Map<string, number> {
    let maps = this.#maps[rule];
    if (maps === undefined) {
      maps = new Array<Map<string, number> | undefined>(SHARDS).fill(undefined);
      this.#maps[rule] = maps;
    }
    let map = maps[shard];
    if (map === undefined) {
      map = new Map();
      maps[shard] = map;
    }
    return map;
  }

  #append(rule: number, slot: number): void {
    const index = this.#counts[rule] ?? 0;
    let list = this.#lists[rule] ?? new Int32Array(INITIAL_LIST_LENGTH);
    if (index === list.length) {
      const longer = new Int32Array(2 * index);
      longer.set(list);
      list = longer;
    }
    this.#lists[rule] = list;
    list[index] = slot;
    this.#indexOf[slot] = index;
    this.#counts[rule] = index + 1;
  }

  /** Replaces the slot by the last one of the rule's list. */
  #removeFromList(rule: number, slot: number): void {
    const list = this.#lists[rule];
    const last = (this.#counts[rule] ?? 0) - 1;
    if (list === undefined || last < 0) return;
    const index = this.#indexOf[slot] ?? 0;
    const moved = list[last] ?? 0;
    list[index] = moved;
    this.#indexOf[moved] = index;
    this.#counts[rule] = last;
  }
}

function pageOf(pages: string[][], slot: number): string[] {
  const at = Math.floor(slot / PAGE_LENGTH);
  let page = pages[at];
  if (page === undefined) {
    page = new Array<string>(PAGE_LENGTH).fill('');
    pages[at] = page;
  }
  return page;
}
