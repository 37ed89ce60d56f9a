/** What waits in a line. */
export interface Waiting {
  /** Where it comes from, the widest part first, such as `['192.0.0.0/16', '192.0.2.0/24', '192.0.2.1']`. */
  readonly from: readonly string[];
}

export interface FairLineOptions {
  /** The places of the line. */
  readonly places: number;
  /** The places of each part, whatever its width. By default all. */
  readonly places_of_part?: number | undefined;
}

export interface FairLine<T extends Waiting> {
  /** Returns what lost its place: nothing, the newcomer, or another one that had a smaller claim. */
  add(newcomer: T): T | undefined;
  /** Removes and returns what comes next. */
  next(): T | undefined;
  /** Removes what no longer waits. Returns false if it is not in the line. */
  remove(item: T): boolean;
  size(): number;
}

/** A part of a line. `parts` is in the order of their next turns; what is from no narrower part is in `items`. */
interface Part<T> {
  size: number;
  readonly parts: Map<string, Part<T>>;
  readonly items: T[];
}

/**
 * A bounded line in which parts take turns, on every level: the widest parts among each other, and in each of them the
 * narrower ones. Items of the same part keep their order. If there is no place, the part that has most gives up its
 * newest item for a part that has less. So whoever fills the line takes places from themselves only.
 */
export function fairLine<T extends Waiting>({
  places,
  places_of_part = places,
}: FairLineOptions): FairLine<T> {
  const line = newPart<T>();

  function remove(item: T): boolean {
    return removeFrom(line, item, 0);
  }

  return {
    add: (newcomer) => {
      const full = narrowestFull(line, newcomer.from, places, places_of_part);
      const loser = full && smallestClaim(full.part, newcomer, full.depth);
      if (loser === newcomer) return newcomer;
      if (loser !== undefined) remove(loser);
      append(line, newcomer);
      return loser;
    },
    next: () => takeNext(line),
    remove,
    size: () => line.size,
  };
}

function newPart<T>(): Part<T> {
  return { size: 0, parts: new Map(), items: [] };
}

function append<T extends Waiting>(line: Part<T>, item: T): void {
  let part = line;
  part.size++;
  for (const name of item.from) {
    const narrower = part.parts.get(name) ?? newPart<T>();
    part.parts.set(name, narrower);
    part = narrower;
    part.size++;
  }
  part.items.push(item);
}

function takeNext<T>(part: Part<T>): T | undefined {
  const [first] = part.parts;
  const item = first === undefined ? part.items.shift() : takeNext(first[1]);
  if (item !== undefined) part.size--;
  if (first !== undefined) {
    const [name, narrower] = first;
    part.parts.delete(name);
    if (narrower.size > 0) part.parts.set(name, narrower); // behind the others
  }
  return item;
}

function removeFrom<T extends Waiting>(part: Part<T>, item: T, depth: number): boolean {
  const name = item.from[depth];
  if (name === undefined) {
    const index = part.items.indexOf(item);
    if (index < 0) return false;
    part.items.splice(index, 1);
  } else {
    const narrower = part.parts.get(name);
    if (narrower === undefined || !removeFrom(narrower, item, depth + 1)) return false;
    if (narrower.size === 0) part.parts.delete(name);
  }
  part.size--;
  return true;
}

/** The narrowest part on a newcomer's way that has no place left. A place there is one in all wider parts too. */
function narrowestFull<T>(
  line: Part<T>,
  from: readonly string[],
  places: number,
  places_of_part: number,
): { part: Part<T>; depth: number } | undefined {
  let full = line.size >= places ? { part: line, depth: 0 } : undefined;
  let part: Part<T> | undefined = line;
  for (const [index, name] of from.entries()) {
    part = part.parts.get(name);
    if (part === undefined) break;
    if (part.size >= places_of_part) full = { part, depth: index + 1 };
  }
  return full;
}

/** What has to give up its place for the newcomer, or the newcomer, if it has no better claim than anybody. */
function smallestClaim<T extends Waiting>(part: Part<T>, newcomer: T, depth: number): T {
  const name = newcomer.from[depth];
  const own = name === undefined ? undefined : part.parts.get(name);
  const largest = largestOf(part);
  if (largest !== undefined && largest.size > (own?.size ?? 0) + 1) return newestOf(largest) ?? newcomer;
  return own === undefined ? newcomer : smallestClaim(own, newcomer, depth + 1);
}

function newestOf<T>(part: Part<T>): T | undefined {
  const largest = largestOf(part);
  return largest === undefined ? part.items.at(-1) : newestOf(largest);
}

function largestOf<T>(part: Part<T>): Part<T> | undefined {
  let largest: Part<T> | undefined;
  for (const one of part.parts.values()) if (one.size > (largest?.size ?? 0)) largest = one;
  return largest;
}
