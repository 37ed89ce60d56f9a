export interface QueuedItem {
  /** The item's groups, the widest first, such as `['192.0.0.0/16', '192.0.2.0/24', '192.0.2.1']`. */
  readonly from: readonly string[];
}

export interface FairQueueOptions {
  /** Maximum items in the queue. */
  readonly max_items: number;
  /** Maximum items of each group, at every level. Default: unlimited. */
  readonly max_items_per_group?: number | undefined;
}

/** A group of items. `groups` is in the order of their next turns; items without a narrower group are in `items`. */
interface Group<T> {
  size: number;
  readonly groups: Map<string, Group<T>>;
  readonly items: T[];
}

/**
 * A bounded queue in which groups take turns, at every level: the widest groups among each other, and in each of them the
 * narrower ones. Items of the same group keep their order. If the queue is full, the largest group loses its newest item
 * to a smaller group. So a client that fills the queue takes slots only from itself.
 */
export class FairQueue<T extends QueuedItem> {
  readonly #maxItems: number;
  readonly #maxItemsPerGroup: number;
  readonly #root = newGroup<T>();

  constructor({ max_items, max_items_per_group = max_items }: FairQueueOptions) {
    this.#maxItems = max_items;
    this.#maxItemsPerGroup = max_items_per_group;
  }

  get size(): number {
    return this.#root.size;
  }

  /** Adds an item. Returns the item that loses its slot, if any: the newcomer, or one of a larger group. */
  add(newcomer: T): T | undefined {
    const full = this.#narrowestFull(newcomer.from);
    const loser = full && displacedBy(newcomer, full.group, full.depth);
    if (loser === newcomer) return newcomer;
    if (loser !== undefined) this.remove(loser);
    append(this.#root, newcomer);
    return loser;
  }

  /** Removes and returns the next item. */
  next(): T | undefined {
    return takeNext(this.#root);
  }

  /** Removes an item. Returns false if it is not in the queue. */
  remove(item: T): boolean {
    return removeFrom(this.#root, item, 0);
  }

  /** The narrowest full group of a newcomer. If that has room again, all wider groups have room too. */
  #narrowestFull(from: readonly string[]): { group: Group<T>; depth: number } | undefined {
    let full = this.#root.size >= this.#maxItems ? { group: this.#root, depth: 0 } : undefined;
    let group: Group<T> | undefined = this.#root;
    for (const [index, name] of from.entries()) {
      group = group.groups.get(name);
      if (group === undefined) break;
      if (group.size >= this.#maxItemsPerGroup) full = { group, depth: index + 1 };
    }
    return full;
  }
}

function newGroup<T>(): Group<T> {
  return { size: 0, groups: new Map(), items: [] };
}

function append<T extends QueuedItem>(root: Group<T>, item: T): void {
  let group = root;
  group.size++;
  for (const name of item.from) {
    const narrower = group.groups.get(name) ?? newGroup<T>();
    group.groups.set(name, narrower);
    group = narrower;
    group.size++;
  }
  group.items.push(item);
}

function takeNext<T>(group: Group<T>): T | undefined {
  const [first] = group.groups;
  const item = first === undefined ? group.items.shift() : takeNext(first[1]);
  if (item !== undefined) group.size--;
  if (first !== undefined) {
    const [name, narrower] = first;
    group.groups.delete(name);
    if (narrower.size > 0) group.groups.set(name, narrower); // its next turn comes after the others
  }
  return item;
}

function removeFrom<T extends QueuedItem>(group: Group<T>, item: T, depth: number): boolean {
  const name = item.from[depth];
  if (name === undefined) {
    const index = group.items.indexOf(item);
    if (index < 0) return false;
    group.items.splice(index, 1);
  } else {
    const narrower = group.groups.get(name);
    if (narrower === undefined || !removeFrom(narrower, item, depth + 1)) return false;
    if (narrower.size === 0) group.groups.delete(name);
  }
  group.size--;
  return true;
}

/** The newest item of the largest group; the newcomer itself if no group is larger than its own. */
function displacedBy<T extends QueuedItem>(newcomer: T, group: Group<T>, depth: number): T {
  const name = newcomer.from[depth];
  const own = name === undefined ? undefined : group.groups.get(name);
  const largest = largestOf(group);
  if (largest !== undefined && largest.size > (own?.size ?? 0) + 1) return newestOf(largest) ?? newcomer;
  return own === undefined ? newcomer : displacedBy(newcomer, own, depth + 1);
}

function newestOf<T>(group: Group<T>): T | undefined {
  const largest = largestOf(group);
  return largest === undefined ? group.items.at(-1) : newestOf(largest);
}

function largestOf<T>(group: Group<T>): Group<T> | undefined {
  let largest: Group<T> | undefined;
  for (const one of group.groups.values()) if (one.size > (largest?.size ?? 0)) largest = one;
  return largest;
}
