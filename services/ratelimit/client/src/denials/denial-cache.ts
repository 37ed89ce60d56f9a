import { chargeIn } from '../leaky-bucket/charge-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { RememberedDenials } from '../leaky-bucket/remembered-denials.ts';
import type { Bucket, BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

export interface DenialCacheOptions {
  readonly now_us: MicrosecondClock;
  /**
   * Whether a rule is in force. Denials under other rules are not remembered, such as those of slowmode, which makes a
   * rule for each check.
   */
  isCurrent(rule: BucketRule): boolean;
}

const MAX_ENTRIES = 65_536;
/** After an operator's change: several times the time in which all replicas of ratelimit follow it. */
export const SETTLE_US = 1_000_000;

/**
 * Remembers denials of a store in another process, and repeats them without a call: a flood on a full bucket costs the store
 * nothing.
 */
export class DenialCache {
  readonly #options: DenialCacheOptions;
  readonly #denials: RememberedDenials;
  /** Denials of checks that were sent before this time are not remembered. */
  #notBefore_us = Number.NEGATIVE_INFINITY;

  constructor(options: DenialCacheOptions) {
    this.#options = options;
    this.#denials = new RememberedDenials({ max_entries: MAX_ENTRIES, now_us: options.now_us });
  }

  /** The number of remembered denials. */
  size(): number {
    return this.#denials.size();
  }

  /**
   * The remembered denial of this check, if its first set has one bucket. With several buckets the store must decide, since
   * another one may deny for longer by now.
   */
  recall(check: Check): Denial | undefined {
    const first = check[0];
    if (first?.length !== 1 || (first[0]?.cost ?? 0) < 1) return undefined;
    return this.#denials.denialFor(check);
  }

  /** The remembered denial with the longest wait among a set's buckets, for use while the store does not answer. */
  denialFor(set: readonly Charge[]): Denial | undefined {
    return this.#denials.denialFor([set]);
  }

  /** Remembers the denial of a check that was sent at `sent_us`. */
  remember(check: Check, denial: Denial, sent_us: number): void {
    const [charge, ...others] = check.flatMap((set) => chargeIn(set, denial) ?? []);
    if (charge === undefined || others.length > 0) return; // the denial does not say which charge it is about
    if (sent_us < this.#notBefore_us) return;
    const { now_us, isCurrent } = this.#options;
    if (isCurrent(charge.rule)) this.#denials.remember(denial, charge.cost, now_us() - sent_us);
  }

  forget(buckets: readonly Bucket[]): void {
    for (const bucket of buckets) this.#denials.forget(bucket);
  }

  /**
   * Forgets all denials, and those on their way.
   *
   * @param settle_us for how long the denials of further checks are not remembered either: the server's replicas may not know
   * the change yet
   */
  clear(settle_us = 0): void {
    this.#denials.clear();
    this.#notBefore_us = this.#options.now_us() + settle_us;
  }
}
