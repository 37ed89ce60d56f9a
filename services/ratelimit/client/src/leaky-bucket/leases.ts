import { latestEnd, liveLeases, permitState, permitWait, timeToLastEnd } from './permits.ts';
import type { Bucket, BucketRule, BucketState, Charge, Denial, Lease } from './store.ts';

/** A lease in the lists of its bucket and of its rule. */
interface Entry extends Lease {
  readonly bucket: LeasedBucket;
  permits: number;
  ends_us: number;
  previous: Entry | undefined;
  next: Entry | undefined;
}

interface LeasedBucket {
  readonly key: string;
  /** By ID, in the order of their ends: a granted or renewed lease ends last. */
  readonly leases: Map<string, Entry>;
}

/** The leases of a rule. */
interface RuleLeases {
  readonly buckets: Map<string, LeasedBucket>;
  /** All its leases as a list, in the order in which they were granted or renewed. */
  first: Entry | undefined;
  last: Entry | undefined;
}

/**
 * The leases of concurrency limits in this process's memory, by bucket. Their number is bounded: while all are taken, a new
 * lease is denied until the next one ends. Leases are never evicted, since their holders would be admitted twice.
 */
export class Leases {
  readonly #max: number;
  /** By the rule's index. */
  readonly #rules: (RuleLeases | undefined)[] = [];
  #size = 0;

  constructor(max_leases: number) {
    this.#max = max_leases;
  }

  /** The number of leases, with those that have ended and are not removed yet. */
  size(): number {
    return this.#size;
  }

  /** The denial of the charge at `index` of a set, after the charges before it; undefined if it is admitted. */
  denialOf(set: readonly Charge[], index: number, now_us: number): Denial | undefined {
    const charge = set[index] as Charge; // the caller's index
    const { rule, key, lease_id, cost } = charge;
    const leases = this.#current(rule, key, now_us);
    const isNew = cost > 0 && leases.every(({ id }) => id !== lease_id);
    const more = this.#takenBefore(set, index);
    const wait_us = permitWait(rule, leases, lease_id, cost, now_us, more);
    const retry_after_us = wait_us === 0 && isNew ? this.#waitForRoom(index, now_us) : wait_us;
    if (retry_after_us === 0) return undefined;
    return { rule, key, retry_after_us, empty_after_us: timeToLastEnd(leases, now_us) };
  }

  /** Grants, renews or releases the charge's lease. A cost of 0 changes nothing. */
  commit({ rule, key, lease_id = '', cost }: Charge, now_us: number): void {
    if (cost === 0) return;
    const entry = this.#rules[rule.index]?.buckets.get(key)?.leases.get(lease_id);
    if (entry !== undefined) this.#end(rule.index, entry);
    if (cost > 0) this.#grant(rule, key, lease_id, cost, latestEnd(rule, now_us));
  }

  state(bucket: Bucket, now_us: number): BucketState {
    const entries = this.#rules[bucket.rule.index]?.buckets.get(bucket.key)?.leases.values() ?? [];
    const leases = [...entries].map(({ id, permits, ends_us }) => ({ id, permits, ends_us }));
    return permitState(bucket, liveLeases(bucket.rule, leases, now_us), now_us);
  }

  /** Ends all leases of a bucket. */
  clear({ rule, key }: Bucket): void {
    const bucket = this.#rules[rule.index]?.buckets.get(key);
    for (const entry of bucket?.leases.values() ?? []) this.#end(rule.index, entry);
  }

  /** Ends all leases of a rule, by its index. */
  clearRule(index: number): void {
    for (let entry = this.#rules[index]?.first; entry !== undefined; entry = entry.next)
      this.#end(index, entry);
    this.#rules[index] = undefined;
  }

  /** Removes at most `budget` ended leases. Returns whether there may be more. */
  sweep(now_us: number, budget: number): boolean {
    let left = budget;
    for (const [index, rule] of this.#rules.entries()) {
      for (let entry = rule?.first; entry !== undefined && entry.ends_us <= now_us; entry = entry.next) {
        if (left-- === 0) return true;
        this.#end(index, entry);
      }
    }
    return false;
  }

  /** The leases of a bucket after those that have ended are removed, and after a clock that went back. */
  #current(rule: BucketRule, key: string, now_us: number): readonly Lease[] {
    const bucket = this.#rules[rule.index]?.buckets.get(key);
    const latest_us = latestEnd(rule, now_us);
    for (const entry of bucket?.leases.values() ?? []) {
      if (entry.ends_us <= now_us) this.#end(rule.index, entry);
      else entry.ends_us = Math.min(entry.ends_us, latest_us);
    }
    return [...(bucket?.leases.values() ?? [])];
  }

  /** The permits that earlier charges of the set take from the same bucket; below 0 if they return some. */
  #takenBefore(set: readonly Charge[], index: number): number {
    const { rule, key } = set[index] as Charge; // the caller's index
    let taken = 0;
    for (const { rule: other, key: otherKey, lease_id = '', cost } of set.slice(0, index)) {
      if (other.index !== rule.index || otherKey !== key || cost === 0) continue;
      const held = this.#rules[rule.index]?.buckets.get(key)?.leases.get(lease_id)?.permits ?? 0;
      taken += Math.max(0, cost) - held;
    }
    return taken;
  }

  /** Microseconds until a lease ends, if there is no room for one more; earlier charges of its set may each take room. */
  #waitForRoom(chargesBefore: number, now_us: number): number {
    if (this.#size + chargesBefore >= this.#max) this.sweep(now_us, this.#size);
    if (this.#size + chargesBefore < this.#max) return 0;
    const ends = this.#rules.flatMap((rule) => rule?.first?.ends_us ?? []);
    return Math.max(1, Math.min(...ends) - now_us);
  }

  #grant(rule: BucketRule, key: string, id: string, permits: number, ends_us: number): void {
    const leases = this.#rules[rule.index] ?? { buckets: new Map(), first: undefined, last: undefined };
    this.#rules[rule.index] = leases;
    const bucket = leases.buckets.get(key) ?? { key, leases: new Map() };
    leases.buckets.set(key, bucket);
    const entry: Entry = { bucket, id, permits, ends_us, previous: leases.last, next: undefined };
    bucket.leases.set(id, entry);
    if (leases.last === undefined) leases.first = entry;
    else leases.last.next = entry;
    leases.last = entry;
    this.#size++;
  }

  #end(index: number, { bucket, id, previous, next }: Entry): void {
    const leases = this.#rules[index];
    if (leases === undefined) return;
    bucket.leases.delete(id);
    if (bucket.leases.size === 0) leases.buckets.delete(bucket.key);
    if (previous === undefined) leases.first = next;
    else previous.next = next;
    if (next === undefined) leases.last = previous;
    else next.previous = previous;
    this.#size--;
  }
}
