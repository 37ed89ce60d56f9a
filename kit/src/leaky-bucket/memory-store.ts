import { randomInt } from 'node:crypto';
import { bucketCells } from './bucket-cells.ts';
import type { MicrosecondClock } from './clock.ts';
import { expiryWheel } from './expiry-wheel.ts';
import { emptyAfter, filled, retryAfter } from './leaky-bucket.ts';
import { slotTable } from './slot-table.ts';
import type { Bucket, BucketRule, BucketState, Charge, Check, Decision, Denial, Store } from './store.ts';

/** Each charge clears up to so many empty buckets, so that they leave at least as fast as others come. */
const SWEEP_PER_CHARGE = 4;

export interface MemoryStoreOptions {
  readonly rules: readonly BucketRule[];
  /** Most buckets held at a time. */
  readonly max_buckets: number;
  readonly now_us: MicrosecondClock;
}

/** A store that answers at once. */
export interface MemoryStore extends Store {
  decide(checks: readonly Check[]): readonly Decision[];
  read(buckets: readonly Bucket[]): readonly BucketState[];
  reset(buckets: readonly Bucket[]): void;
  /** The rules were read anew: buckets of those that are gone are emptied, the others stay as they are. */
  setRules(rules: readonly BucketRule[]): void;
  /** Buckets held: those that are not empty, and those that were until a moment ago. */
  size(): number;
  /** Charges so far that went to a shared bucket because the store was full. */
  sharedCharges(): number;
  /** Lets go of buckets that have become empty, at most `budget`; whether there are more. */
  sweep(budget: number): boolean;
}

/**
 * Leaky buckets in this process's memory. A bucket is a slot of a typed array; an empty bucket is
 * worth as much as none, and leaves.
 *
 * When all slots hold live buckets, a newcomer is charged to one of 256 shared buckets of its rule,
 * chosen by its identity, until there is room. So nobody is ever admitted beyond a limit, nobody's
 * bucket is taken away, and a flood of new identities can cost only other newcomers. Who moves from a
 * shared bucket to one of their own starts at its level. Nothing is given back to a shared bucket, and
 * none is reset: what is in it may be somebody else's.
 */
export function memoryStore(options: MemoryStoreOptions): MemoryStore {
  const { max_buckets, now_us } = options;
  const cells = bucketCells(max_buckets);
  const table = slotTable(max_buckets);
  const wheel = expiryWheel(max_buckets, now_us());
  const seed = randomInt(2 ** 32);
  // Of the set that is being charged.
  const found: number[] = [];
  const hashes: number[] = [];
  let rules = options.rules;
  let sharedCharges = 0;

  function decide(checks: readonly Check[]): Decision[] {
    const at_us = now_us();
    const decisions: Decision[] = [];
    for (const check of checks) decisions.push(decideOne(check, at_us));
    return decisions;
  }

  function decideOne(check: Check, at_us: number): Decision {
    for (const set of check) {
      const denial = chargeSet(set, at_us);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  function chargeSet(set: readonly Charge[], at_us: number): Decision {
    // Before slots are looked up, as it frees some.
    wheel.advance(at_us, SWEEP_PER_CHARGE * set.length, leaveIfEmpty);
    let denial: Denial | undefined;
    let i = 0;
    for (const { rule, key, cost } of set) {
      const hash = hashOf(key, seed);
      const cell = table.find(rule.index, key, hash) ?? cells.sharedCell(rule, hash);
      cells.turnBack(cell, at_us);
      found[i] = cell;
      hashes[i++] = hash;
      const level = cells.level(cell, rule, at_us);
      const retry_after_us = retryAfter(rule, level, cost);
      if (retry_after_us > (denial?.retry_after_us ?? 0)) {
        denial = { rule, key, retry_after_us, empty_after_us: emptyAfter(rule, level) };
      }
    }
    if (denial !== undefined) return denial;
    i = 0;
    for (const charge of set) {
      if (charge.cost !== 0) commit(found[i] ?? 0, hashes[i] ?? 0, charge, at_us);
      i++;
    }
    return undefined;
  }

  function commit(cell: number, hash: number, { rule, key, cost }: Charge, at_us: number): void {
    // Read again: two identities of one set may share a bucket.
    const level = filled(rule, cells.level(cell, rule, at_us), cost);
    if (!cells.isShared(cell)) {
      cells.set(cell, rule, level, at_us);
    } else if (cost > 0) {
      const slot = table.insert(rule.index, key, hash);
      if (slot === undefined) sharedCharges++;
      else wheel.schedule(slot, at_us + emptyAfter(rule, level));
      cells.set(slot ?? cell, rule, level, at_us);
    }
  }

  /** When a bucket that was charged since will be empty; undefined when it is and has left. */
  function leaveIfEmpty(slot: number, at_us: number): number | undefined {
    const wait_us = cells.emptyAfter(slot, at_us);
    if (wait_us > 0) return at_us + wait_us;
    table.remove(slot);
    return undefined;
  }

  function read(buckets: readonly Bucket[]): BucketState[] {
    const at_us = now_us();
    return buckets.map(({ rule, key }) => {
      const level = cells.level(cellOf(rule, key), rule, at_us);
      const retry_after_us = retryAfter(rule, level, 1);
      return { rule, key, level, retry_after_us, empty_after_us: emptyAfter(rule, level) };
    });
  }

  function reset(buckets: readonly Bucket[]): void {
    for (const { rule, key } of buckets) {
      const cell = cellOf(rule, key);
      if (!cells.isShared(cell)) cells.clear(cell);
    }
  }

  function cellOf(rule: BucketRule, key: string): number {
    const hash = hashOf(key, seed);
    return table.find(rule.index, key, hash) ?? cells.sharedCell(rule, hash);
  }

  function setRules(next: readonly BucketRule[]): void {
    const staying = new Set(next.map(({ index }) => index));
    for (const rule of rules) {
      if (staying.has(rule.index)) continue;
      for (const slot of table.slotsOf(rule.index)) cells.clear(slot); // and the wheel comes by for them
      cells.clearShared(rule);
    }
    rules = next;
  }

  return {
    decide,
    read,
    reset,
    setRules,
    size: table.size,
    sharedCharges: () => sharedCharges,
    sweep: (budget) => wheel.advance(now_us(), budget, leaveIfEmpty),
  };
}

/** What is hashed of each end of a key: a kind and an ID, as "account:1423344334333440001". */
const END = 32;

/**
 * FNV-1a over both ends of the key: of several identities the first may be all that differs, as in one
 * channel, or the last. Only spreads: the maps compare whole keys.
 */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  const rest = Math.max(END, key.length - END);
  for (let i = 0; i < key.length; i = i === END - 1 ? rest : i + 1) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fff_ffff; // what the engine keeps as a small integer
}
