import { randomInt } from 'node:crypto';
import { BucketCells } from './bucket-cells.ts';
import { timeAt, timeToEmpty, waitFor } from './bucket-level.ts';
import type { MicrosecondClock } from './clock.ts';
import { EvictedLevels } from './evicted-levels.ts';
import { EvictionSample } from './eviction-sample.ts';
import { ExpiryWheel } from './expiry-wheel.ts';
import { keyHash } from './key-hash.ts';
import { filled } from './leaky-bucket.ts';
import { Leases } from './leases.ts';
import { SlotShares } from './slot-shares.ts';
import { SlotTable } from './slot-table.ts';
import type {
  Bucket,
  BucketRule,
  BucketState,
  Charge,
  Check,
  Decision,
  Denial,
  Outcome,
  ReadState,
  Store,
} from './store.ts';

/** Empty buckets that each charge may remove: more than the one that it may add. */
const SWEEP_PER_CHARGE = 4;
/** The slot of a key without a bucket. */
const NO_SLOT = -1;
const MAX_LEASES = 65_536;

export interface MemoryStoreOptions {
  readonly rules: readonly BucketRule[];
  /** Maximum buckets held at a time. */
  readonly max_buckets: number;
  /** Maximum leases of concurrency limits held at a time, about 300 bytes each; 65,536 by default. */
  readonly max_leases?: number;
  /** The relative shares of the slots that groups of rules have in a full store; one group by default. */
  readonly shares?: readonly number[];
  readonly now_us: MicrosecondClock;
}

/**
 * Buckets in this process's memory; it answers without a promise. A bucket takes a slot of typed arrays. An empty
 * bucket is the same as none, so it is removed.
 *
 * When all slots are taken, buckets are evicted for new ones: from the rule that takes too many slots (slot-shares.ts),
 * those that would be empty soonest. Each rule keeps the highest level that was evicted, and its new buckets start there
 * (evicted-levels.ts). So nobody is ever admitted beyond a limit, and a flood of new identities takes tokens only from
 * newcomers of the flooded rules: one when about half of their buckets hold one, two when they hold two.
 */
export class MemoryStore implements Store {
  readonly #maxBuckets: number;
  readonly #now_us: MicrosecondClock;
  readonly #cells: BucketCells;
  readonly #table: SlotTable;
  readonly #wheel: ExpiryWheel;
  readonly #shares: SlotShares;
  readonly #evictedLevels = new EvictedLevels();
  readonly #sample = new EvictionSample();
  readonly #leases: Leases;
  readonly #seed = randomInt(2 ** 32);
  /** The slots, hashes and levels of the set that is being charged. */
  readonly #slots: number[] = [];
  readonly #hashes: number[] = [];
  readonly #levels: number[] = [];
  #rules: readonly BucketRule[];
  #evictions = 0;
  /** Those evictions whose bucket was not empty. */
  #evictedNonEmpty = 0;

  constructor({ rules, max_buckets, max_leases = MAX_LEASES, shares = [1], now_us }: MemoryStoreOptions) {
    this.#rules = rules;
    this.#maxBuckets = max_buckets;
    this.#now_us = now_us;
    this.#cells = new BucketCells(max_buckets);
    this.#table = new SlotTable(max_buckets);
    this.#wheel = new ExpiryWheel(max_buckets, now_us());
    this.#shares = new SlotShares(shares);
    this.#leases = new Leases(max_leases);
  }

  decide(checks: readonly Check[]): readonly Decision[] {
    const at_us = this.#now_us();
    return checks.map((check) => this.#decideAt(check, at_us));
  }

  decideOne(check: Check): Decision {
    return this.#decideAt(check, this.#now_us());
  }

  decideAndRead(check: Check): Outcome {
    const at_us = this.#now_us();
    const denial = this.#decideAt(check, at_us);
    return { denial, states: check.flat().map((charge) => this.#stateAt(charge, at_us)) };
  }

  /** The denial of this charge alone, if it would be denied; charges nothing. */
  denialOf(charge: Charge): Decision {
    return this.#lookUp([charge], this.#now_us());
  }

  read(buckets: readonly Bucket[]): readonly ReadState[] {
    const at_us = this.#now_us();
    return buckets.map((bucket) => ({ ...this.#stateAt(bucket, at_us), read_at_us: at_us }));
  }

  reset(buckets: readonly Bucket[]): void {
    for (const { rule, key } of buckets) {
      this.#leases.clear({ rule, key });
      const slot = this.#slotOf(rule, key);
      if (slot !== NO_SLOT) this.#cells.clear(slot);
    }
  }

  /** Applies changed rules: buckets of removed rules, and of another kind, are emptied; the others keep their levels. */
  setRules(rules: readonly BucketRule[]): void {
    const kinds = new Map(rules.map(({ index, kind }) => [index, kind]));
    for (const { index, kind } of this.#rules) {
      if (kinds.get(index) === kind) continue;
      for (const slot of this.#table.slotsOf(index)) this.#cells.clear(slot); // the wheel removes them later
      this.#evictedLevels.clear(index);
      this.#leases.clearRule(index);
    }
    this.#shares.setRules(rules);
    this.#rules = rules;
  }

  /** The number of buckets held, including empty ones that are not removed yet. */
  size(): number {
    return this.#table.size();
  }

  /** The number of buckets that were evicted before they were empty. */
  evicted(): number {
    return this.#evictedNonEmpty;
  }

  /** Removes at most `budget` empty buckets, and as many ended leases. Returns whether there are more. */
  sweep(budget: number): boolean {
    const at_us = this.#now_us();
    const hasMoreLeases = this.#leases.sweep(at_us, budget);
    return this.#wheel.advance(at_us, budget, this.#removeIfEmpty) || hasMoreLeases;
  }

  #stateAt({ rule, key }: Bucket, at_us: number): BucketState {
    if (rule.kind === 'concurrency') return this.#leases.state({ rule, key }, at_us);
    const slot = this.#slotOf(rule, key);
    const level = this.#levelOf(slot, rule, at_us);
    const start_us = this.#startOf(slot);
    const retry_after_us = waitFor(rule, level, 1, start_us, at_us);
    const empty_after_us = timeToEmpty(rule, level, start_us, at_us);
    return { rule, key, level, retry_after_us, empty_after_us };
  }

  #decideAt(check: Check, at_us: number): Decision {
    for (const set of check) {
      const denial = this.#chargeSet(set, at_us);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  #chargeSet(set: readonly Charge[], at_us: number): Decision {
    // Before the lookup, since it frees slots.
    this.#wheel.advance(at_us, SWEEP_PER_CHARGE * set.length, this.#removeIfEmpty);
    const denial = this.#lookUp(set, at_us);
    if (denial === undefined) this.#commitAll(set, at_us);
    return denial;
  }

  #lookUp(set: readonly Charge[], at_us: number): Decision {
    let longest: Denial | undefined;
    for (let i = 0; i < set.length; i++) {
      const charge = set[i] as Charge; // i is below the length
      const denial =
        charge.rule.kind === 'concurrency'
          ? this.#leases.denialOf(set, i, at_us)
          : this.#lookUpLevel(charge, i, at_us);
      if (denial !== undefined && denial.retry_after_us > (longest?.retry_after_us ?? 0)) longest = denial;
    }
    return longest;
  }

  #lookUpLevel({ rule, key, cost }: Charge, i: number, at_us: number): Decision {
    const hash = keyHash(key, this.#seed);
    const slot = this.#table.find(rule.index, key, hash) ?? NO_SLOT;
    if (slot !== NO_SLOT) this.#cells.capTime(slot, at_us);
    const level = this.#levelOf(slot, rule, at_us);
    this.#slots[i] = slot;
    this.#hashes[i] = hash;
    this.#levels[i] = level;
    const start_us = rule.kind === 'fixed_window' ? this.#startOf(slot) : 0;
    const retry_after_us = waitFor(rule, level, cost, start_us, at_us);
    if (retry_after_us === 0) return undefined;
    return { rule, key, retry_after_us, empty_after_us: timeToEmpty(rule, level, start_us, at_us) };
  }

  #commitAll(set: readonly Charge[], at_us: number): void {
    const before = this.#evictions;
    for (let i = 0; i < set.length; i++) {
      const charge = set[i] as Charge; // i is below the length
      if (charge.rule.kind === 'concurrency') {
        this.#leases.commit(charge, at_us);
        continue;
      }
      const hash = this.#hashes[i] ?? 0;
      let slot = this.#slots[i] ?? NO_SLOT;
      // The bucket may have been evicted for an earlier charge's.
      if (this.#evictions !== before) slot = this.#table.find(charge.rule.index, charge.key, hash) ?? NO_SLOT;
      if (charge.cost !== 0) this.#commit(slot, hash, this.#levels[i] ?? 0, charge, at_us);
    }
  }

  #commit(slot: number, hash: number, before: number, charge: Charge, at_us: number): void {
    const { rule, cost } = charge;
    const level = filled(rule, before, cost);
    if (slot !== NO_SLOT) {
      const start_us = rule.kind === 'fixed_window' ? this.#cells.start(slot) : 0;
      this.#cells.set(slot, rule, level, timeAt(rule, start_us, at_us));
    } else if (cost > 0) {
      const empty_at_us = at_us + timeToEmpty(rule, level, 0, at_us);
      this.#cells.set(this.#newSlot(charge, hash, empty_at_us, at_us), rule, level, timeAt(rule, 0, at_us));
    }
  }

  /** Of a fixed window; 0 for a bucket that counts nothing. */
  #startOf(slot: number): number {
    return slot === NO_SLOT ? 0 : this.#cells.start(slot);
  }

  /** Without a bucket, the highest level at which it may have been evicted. */
  #levelOf(slot: number, rule: BucketRule, at_us: number): number {
    return slot === NO_SLOT
      ? this.#evictedLevels.level(rule.index, rule, at_us)
      : this.#cells.level(slot, rule, at_us);
  }

  #slotOf(rule: BucketRule, key: string): number {
    return this.#table.find(rule.index, key, keyHash(key, this.#seed)) ?? NO_SLOT;
  }

  #newSlot({ rule, key }: Charge, hash: number, empty_at_us: number, at_us: number): number {
    if (this.#table.size() === this.#maxBuckets) this.#makeRoom(rule, at_us);
    const slot = this.#table.insert(rule.index, key, hash);
    if (slot === undefined) throw new Error('an eviction left no free slot');
    this.#shares.added(rule);
    this.#wheel.schedule(slot, empty_at_us);
    return slot;
  }

  #makeRoom(newcomer: BucketRule, at_us: number): void {
    const index = this.#shares.ruleToEvictFor(newcomer);
    const count = this.#sample.draw(this.#table, index, (slot) => this.#cells.emptyAfter(slot, at_us));
    for (let n = 0; n < count; n++) {
      const slot = this.#sample.take();
      if (slot !== undefined) this.#evict(slot, index, at_us);
    }
  }

  #evict(slot: number, index: number, at_us: number): void {
    const rate = this.#cells.rateOf(slot);
    const level = this.#cells.level(slot, rate, at_us);
    this.#evictedLevels.raise(index, rate, level, at_us);
    this.#wheel.remove(slot);
    this.#remove(slot, index);
    this.#evictions++;
    if (level > 0) this.#evictedNonEmpty++;
  }

  #remove(slot: number, index: number): void {
    this.#table.remove(slot);
    this.#shares.removed(index);
  }

  /** Removes a bucket if it is empty; otherwise returns the time at which it will be. */
  readonly #removeIfEmpty = (slot: number, at_us: number): number | undefined => {
    const wait_us = this.#cells.emptyAfter(slot, at_us);
    if (wait_us > 0) return at_us + wait_us;
    this.#remove(slot, this.#table.ruleOf(slot));
    return undefined;
  };
}
