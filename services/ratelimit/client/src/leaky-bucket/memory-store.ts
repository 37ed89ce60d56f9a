import { randomInt } from 'node:crypto';
import { BucketCells } from './bucket-cells.ts';
import type { MicrosecondClock } from './clock.ts';
import { ExpiryWheel } from './expiry-wheel.ts';
import { ForgottenLevels } from './forgotten-levels.ts';
import { keyHash } from './key-hash.ts';
import { emptyAfter, filled, retryAfter } from './leaky-bucket.ts';
import { PlaceShares } from './place-shares.ts';
import { SlotTable } from './slot-table.ts';
import type { Bucket, BucketRule, BucketState, Charge, Check, Decision, Denial, Store } from './store.ts';

/** Empty buckets that each charge may clear, so that they leave at least as fast as others come. */
const SWEEP_PER_CHARGE = 4;

/** Of this many buckets, drawn at random, the eight that are closest to empty leave a full store. */
const DRAWN = 64;
const LEAVING = 8;
const NONE = -1;

export interface MemoryStoreOptions {
  readonly rules: readonly BucketRule[];
  /** Maximum buckets held at a time. */
  readonly max_buckets: number;
  /** The parts of a full store's places that groups of rules have; one group by default. */
  readonly shares?: readonly number[];
  readonly now_us: MicrosecondClock;
}

/**
 * Leaky buckets in this process's memory; it answers at once. A bucket is a slot of a typed array. An empty bucket is
 * worth as much as none, and leaves.
 *
 * When all slots are taken, buckets leave for new ones: buckets of the group and rule that hold too many
 * (place-shares.ts), and of these the ones closest to empty. Their levels are not forgotten: a charge without a bucket
 * begins at the highest level that had to leave under its rule (forgotten-levels.ts). So nobody is ever admitted beyond a
 * limit, and a flood of new identities takes tokens only from newcomers of the rules that it floods: one token when about
 * half of their buckets hold one, two when they hold two.
 */
export class MemoryStore implements Store {
  readonly #maxBuckets: number;
  readonly #now_us: MicrosecondClock;
  readonly #cells: BucketCells;
  readonly #table: SlotTable;
  readonly #wheel: ExpiryWheel;
  readonly #places: PlaceShares;
  readonly #forgotten = new ForgottenLevels();
  readonly #seed = randomInt(2 ** 32);
  /** The slots, hashes and levels of the set that is being charged. */
  readonly #slots: number[] = [];
  readonly #hashes: number[] = [];
  readonly #levels: number[] = [];
  /** The buckets that were drawn, and their times until empty. */
  readonly #drawn = new Int32Array(DRAWN);
  readonly #waits = new Float64Array(DRAWN);
  #rules: readonly BucketRule[];
  /** Buckets that were evicted, empty or not. */
  #departures = 0;
  #evicted = 0;

  constructor({ rules, max_buckets, shares = [1], now_us }: MemoryStoreOptions) {
    this.#rules = rules;
    this.#maxBuckets = max_buckets;
    this.#now_us = now_us;
    this.#cells = new BucketCells(max_buckets);
    this.#table = new SlotTable(max_buckets);
    this.#wheel = new ExpiryWheel(max_buckets, now_us());
    this.#places = new PlaceShares(shares);
  }

  decide(checks: readonly Check[]): readonly Decision[] {
    const at_us = this.#now_us();
    const decisions: Decision[] = [];
    for (const check of checks) decisions.push(this.#decideOne(check, at_us));
    return decisions;
  }

  read(buckets: readonly Bucket[]): readonly BucketState[] {
    const at_us = this.#now_us();
    return buckets.map(({ rule, key }) => {
      const level = this.#levelOf(this.#slotOf(rule, key), rule, at_us);
      const retry_after_us = retryAfter(rule, level, 1);
      return { rule, key, level, retry_after_us, empty_after_us: emptyAfter(rule, level) };
    });
  }

  reset(buckets: readonly Bucket[]): void {
    for (const { rule, key } of buckets) {
      const slot = this.#slotOf(rule, key);
      if (slot !== NONE) this.#cells.clear(slot);
    }
  }

  /** Takes over changed rules: buckets of removed rules are emptied, the others stay as they are. */
  setRules(rules: readonly BucketRule[]): void {
    const staying = new Set(rules.map(({ index }) => index));
    for (const { index } of this.#rules) {
      if (staying.has(index)) continue;
      for (const slot of this.#table.slotsOf(index)) this.#cells.clear(slot); // the wheel removes them later
      this.#forgotten.clear(index);
    }
    this.#places.setRules(rules);
    this.#rules = rules;
  }

  /** The number of buckets held: those that are not empty, and those that were until a moment ago. */
  size(): number {
    return this.#table.size();
  }

  /** The number of buckets so far that left a full store before they were empty. */
  evicted(): number {
    return this.#evicted;
  }

  /** Removes at most `budget` buckets that have become empty. Returns whether there are more. */
  sweep(budget: number): boolean {
    return this.#wheel.advance(this.#now_us(), budget, this.#leaveIfEmpty);
  }

  #decideOne(check: Check, at_us: number): Decision {
    for (const set of check) {
      const denial = this.#chargeSet(set, at_us);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  #chargeSet(set: readonly Charge[], at_us: number): Decision {
    // Before slots are looked up: this frees some.
    this.#wheel.advance(at_us, SWEEP_PER_CHARGE * set.length, this.#leaveIfEmpty);
    const denial = this.#lookUp(set, at_us);
    if (denial === undefined) this.#commitAll(set, at_us);
    return denial;
  }

  #lookUp(set: readonly Charge[], at_us: number): Decision {
    let denial: Denial | undefined;
    let i = 0;
    for (const { rule, key, cost } of set) {
      const hash = keyHash(key, this.#seed);
      const slot = this.#table.find(rule.index, key, hash) ?? NONE;
      if (slot !== NONE) this.#cells.turnBack(slot, at_us);
      const level = this.#levelOf(slot, rule, at_us);
      this.#slots[i] = slot;
      this.#hashes[i] = hash;
      this.#levels[i++] = level;
      const retry_after_us = retryAfter(rule, level, cost);
      if (retry_after_us > (denial?.retry_after_us ?? 0)) {
        denial = { rule, key, retry_after_us, empty_after_us: emptyAfter(rule, level) };
      }
    }
    return denial;
  }

  #commitAll(set: readonly Charge[], at_us: number): void {
    const before = this.#departures;
    let i = 0;
    for (const charge of set) {
      const hash = this.#hashes[i] ?? 0;
      let slot = this.#slots[i] ?? NONE;
      // The bucket may have had to leave for that of an earlier charge.
      if (this.#departures !== before) slot = this.#table.find(charge.rule.index, charge.key, hash) ?? NONE;
      if (charge.cost !== 0) this.#commit(slot, hash, this.#levels[i] ?? 0, charge, at_us);
      i++;
    }
  }

  #commit(slot: number, hash: number, before: number, charge: Charge, at_us: number): void {
    const { rule, cost } = charge;
    const level = filled(rule, before, cost);
    if (slot !== NONE) this.#cells.set(slot, rule, level, at_us);
    else if (cost > 0) this.#cells.set(this.#newSlot(charge, hash, level, at_us), rule, level, at_us);
  }

  /** Without a bucket: the level that it may have had when it had to leave. */
  #levelOf(slot: number, rule: BucketRule, at_us: number): number {
    return slot === NONE
      ? this.#forgotten.level(rule.index, rule, at_us)
      : this.#cells.level(slot, rule, at_us);
  }

  #slotOf(rule: BucketRule, key: string): number {
    return this.#table.find(rule.index, key, keyHash(key, this.#seed)) ?? NONE;
  }

  #newSlot({ rule, key }: Charge, hash: number, level: number, at_us: number): number {
    if (this.#table.size() === this.#maxBuckets) this.#makeRoom(rule, at_us);
    const slot = this.#table.insert(rule.index, key, hash);
    if (slot === undefined) throw new Error('an eviction left no free slot');
    this.#places.came(rule);
    this.#wheel.schedule(slot, at_us + emptyAfter(rule, level));
    return slot;
  }

  #makeRoom(newcomer: BucketRule, at_us: number): void {
    const index = this.#places.giverFor(newcomer);
    const count = this.#table.countOf(index);
    for (let i = 0; i < DRAWN; i++) {
      const slot = this.#table.slotAt(index, Math.floor(Math.random() * count));
      this.#drawn[i] = slot;
      this.#waits[i] = this.#cells.emptyAfter(slot, at_us);
    }
    const leaving = Math.ceil((LEAVING * Math.min(count, DRAWN)) / DRAWN); // fewer if the rule has few
    for (let n = 0; n < leaving; n++) {
      const least = leastOf(this.#waits);
      if (this.#waits[least] === Number.POSITIVE_INFINITY) return; // all drawn buckets have left
      this.#evict(this.#drawn[least] ?? 0, index, at_us);
    }
  }

  #evict(slot: number, index: number, at_us: number): void {
    const rate = this.#cells.rateOf(slot);
    const level = this.#cells.level(slot, rate, at_us);
    this.#forgotten.raise(index, rate, level, at_us);
    this.#wheel.remove(slot);
    this.#leave(slot, index);
    this.#departures++;
    if (level > 0) this.#evicted++;
    for (let i = 0; i < DRAWN; i++) if (this.#drawn[i] === slot) this.#waits[i] = Number.POSITIVE_INFINITY;
  }

  #leave(slot: number, index: number): void {
    this.#table.remove(slot);
    this.#places.left(index);
  }

  /** The time at which a bucket that was charged since will be empty; undefined if it was empty, and has left. */
  readonly #leaveIfEmpty = (slot: number, at_us: number): number | undefined => {
    const wait_us = this.#cells.emptyAfter(slot, at_us);
    if (wait_us > 0) return at_us + wait_us;
    this.#leave(slot, this.#table.ruleOf(slot));
    return undefined;
  };
}

function leastOf(values: Float64Array): number {
  let least = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) < (values[least] ?? 0)) least = i;
  return least;
}
