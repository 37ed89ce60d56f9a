import { randomInt } from 'node:crypto';
import { bucketCells } from './bucket-cells.ts';
import type { MicrosecondClock } from './clock.ts';
import { expiryWheel } from './expiry-wheel.ts';
import { forgottenLevels } from './forgotten-levels.ts';
import { emptyAfter, filled, retryAfter } from './leaky-bucket.ts';
import { placeShares } from './place-shares.ts';
import { slotTable } from './slot-table.ts';
import type { Bucket, BucketRule, BucketState, Charge, Check, Decision, Denial, Store } from './store.ts';

/** Each charge clears up to so many empty buckets, so that they leave at least as fast as others come. */
const SWEEP_PER_CHARGE = 4;

/** Of so many buckets, drawn at random, the eight that are closest to empty leave a full store. */
const DRAWN = 64;
const LEAVING = 8;
const NONE = -1;

export interface MemoryStoreOptions {
  readonly rules: readonly BucketRule[];
  /** Most buckets held at a time. */
  readonly max_buckets: number;
  /** How the places of a full store are divided among groups of rules, in parts; absent: one group. */
  readonly shares?: readonly number[];
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
  /** Buckets so far that had to leave a full store before they were empty. */
  evicted(): number;
  /** Lets go of buckets that have become empty, at most `budget`; whether there are more. */
  sweep(budget: number): boolean;
}

/**
 * Leaky buckets in this process's memory. A bucket is a slot of a typed array; an empty bucket is
 * worth as much as none, and leaves.
 *
 * When all slots are taken, buckets leave for those that come: of the group and rule that hold too many
 * (place-shares.ts), and there those that are close to empty. What was in them is not forgotten: whoever
 * comes without a bucket begins at the highest level that had to leave under its rule (forgotten-levels.ts).
 * So nobody is ever admitted beyond a limit, and a flood of new identities takes tokens only from newcomers of
 * the rules that it floods: one when about half of their buckets hold one, two when they hold two.
 */
export function memoryStore(options: MemoryStoreOptions): MemoryStore {
  const { max_buckets, shares = [1], now_us } = options;
  const cells = bucketCells(max_buckets);
  const table = slotTable(max_buckets);
  const wheel = expiryWheel(max_buckets, now_us());
  const places = placeShares(shares);
  const forgotten = forgottenLevels();
  const seed = randomInt(2 ** 32);
  // Of the set that is being charged.
  const found: number[] = [];
  const hashes: number[] = [];
  const levels: number[] = [];
  // Of the buckets that were drawn.
  const drawn = new Int32Array(DRAWN);
  const waits = new Float64Array(DRAWN);
  let rules = options.rules;
  let departures = 0; // that were not of themselves
  let evicted = 0;

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
    const denial = lookUp(set, at_us);
    if (denial === undefined) commitAll(set, at_us);
    return denial;
  }

  function lookUp(set: readonly Charge[], at_us: number): Decision {
    let denial: Denial | undefined;
    let i = 0;
    for (const { rule, key, cost } of set) {
      const hash = hashOf(key, seed);
      const slot = table.find(rule.index, key, hash) ?? NONE;
      if (slot !== NONE) cells.turnBack(slot, at_us);
      const level = levelOf(slot, rule, at_us);
      found[i] = slot;
      hashes[i] = hash;
      levels[i++] = level;
      const retry_after_us = retryAfter(rule, level, cost);
      if (retry_after_us > (denial?.retry_after_us ?? 0)) {
        denial = { rule, key, retry_after_us, empty_after_us: emptyAfter(rule, level) };
      }
    }
    return denial;
  }

  function commitAll(set: readonly Charge[], at_us: number): void {
    const before = departures;
    let i = 0;
    for (const charge of set) {
      const hash = hashes[i] ?? 0;
      let slot = found[i] ?? NONE;
      // It may have had to leave for the bucket of a charge ahead.
      if (departures !== before) slot = table.find(charge.rule.index, charge.key, hash) ?? NONE;
      if (charge.cost !== 0) commit(slot, hash, levels[i] ?? 0, charge, at_us);
      i++;
    }
  }

  /** Without a bucket: what it may have held when it had to leave. */
  function levelOf(slot: number, rule: BucketRule, at_us: number): number {
    return slot === NONE ? forgotten.level(rule.index, rule, at_us) : cells.level(slot, rule, at_us);
  }

  function commit(slot: number, hash: number, before: number, charge: Charge, at_us: number): void {
    const { rule, cost } = charge;
    const level = filled(rule, before, cost);
    if (slot !== NONE) cells.set(slot, rule, level, at_us);
    else if (cost > 0) cells.set(newSlot(charge, hash, level, at_us), rule, level, at_us);
  }

  function newSlot({ rule, key }: Charge, hash: number, level: number, at_us: number): number {
    if (table.size() === max_buckets) makeRoom(rule, at_us);
    const slot = table.insert(rule.index, key, hash);
    if (slot === undefined) throw new Error('room was made for a bucket, and there is none');
    places.came(rule);
    wheel.schedule(slot, at_us + emptyAfter(rule, level));
    return slot;
  }

  function makeRoom(newcomer: BucketRule, at_us: number): void {
    const index = places.giverFor(newcomer);
    const count = table.countOf(index);
    for (let i = 0; i < DRAWN; i++) {
      const slot = table.slotAt(index, Math.floor(Math.random() * count));
      drawn[i] = slot;
      waits[i] = cells.emptyAfter(slot, at_us);
    }
    const leaving = Math.ceil((LEAVING * Math.min(count, DRAWN)) / DRAWN); // fewer where there are few
    for (let n = 0; n < leaving; n++) {
      const least = leastOf(waits);
      if (waits[least] === Number.POSITIVE_INFINITY) return; // the same few were drawn again and again
      evict(drawn[least] ?? 0, index, at_us);
    }
  }

  function evict(slot: number, index: number, at_us: number): void {
    const rate = cells.rateOf(slot);
    const level = cells.level(slot, rate, at_us);
    forgotten.raise(index, rate, level, at_us);
    wheel.remove(slot);
    leave(slot, index);
    departures++;
    if (level > 0) evicted++;
    for (let i = 0; i < DRAWN; i++) if (drawn[i] === slot) waits[i] = Number.POSITIVE_INFINITY;
  }

  function leave(slot: number, index: number): void {
    table.remove(slot);
    places.left(index);
  }

  /** When a bucket that was charged since will be empty; undefined when it is and has left. */
  function leaveIfEmpty(slot: number, at_us: number): number | undefined {
    const wait_us = cells.emptyAfter(slot, at_us);
    if (wait_us > 0) return at_us + wait_us;
    leave(slot, table.ruleOf(slot));
    return undefined;
  }

  function read(buckets: readonly Bucket[]): BucketState[] {
    const at_us = now_us();
    return buckets.map(({ rule, key }) => {
      const level = levelOf(slotOf(rule, key), rule, at_us);
      const retry_after_us = retryAfter(rule, level, 1);
      return { rule, key, level, retry_after_us, empty_after_us: emptyAfter(rule, level) };
    });
  }

  function reset(buckets: readonly Bucket[]): void {
    for (const { rule, key } of buckets) {
      const slot = slotOf(rule, key);
      if (slot !== NONE) cells.clear(slot);
    }
  }

  function slotOf(rule: BucketRule, key: string): number {
    return table.find(rule.index, key, hashOf(key, seed)) ?? NONE;
  }

  function setRules(next: readonly BucketRule[]): void {
    const staying = new Set(next.map(({ index }) => index));
    for (const { index } of rules) {
      if (staying.has(index)) continue;
      for (const slot of table.slotsOf(index)) cells.clear(slot); // and the wheel comes by for them
      forgotten.clear(index);
    }
    places.setRules(next);
    rules = next;
  }

  return {
    decide,
    read,
    reset,
    setRules,
    size: table.size,
    evicted: () => evicted,
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

function leastOf(values: Float64Array): number {
  let least = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) < (values[least] ?? 0)) least = i;
  return least;
}
