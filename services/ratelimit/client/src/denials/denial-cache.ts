import { bucketIn } from '../leaky-bucket/bucket-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { RememberedDenials } from '../leaky-bucket/remembered-denials.ts';
import type { Bucket, BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

export interface DenialCacheOptions {
  readonly now_us: MicrosecondClock;
  /** Whether a rule is in force. Denials of other rules are not kept: slowmode has a rule for each interval. */
  isCurrent(rule: BucketRule): boolean;
}

const MAX_ENTRIES = 65_536;

/**
 * Denials that were received. A leaky bucket's denial holds until its wait is over, whatever other callers do, so it is
 * repeated without a call: a flood on a full bucket costs the store nothing.
 */
export class DenialCache {
  readonly #options: DenialCacheOptions;
  readonly #denials: RememberedDenials;

  constructor(options: DenialCacheOptions) {
    this.#options = options;
    this.#denials = new RememberedDenials({ max_entries: MAX_ENTRIES, now_us: options.now_us });
  }

  /** The number of remembered denials. */
  size(): number {
    return this.#denials.size();
  }

  /**
   * The denial of this check, if it is known. Only a check whose first set has one bucket: of several, another may deny
   * for longer by now, and the longest wait is the one to report.
   */
  recall(check: Check): Denial | undefined {
    const first = check[0];
    if (first?.length !== 1 || (first[0]?.cost ?? 0) < 1) return undefined;
    return this.#denials.denialFor(check);
  }

  /** The longest known wait of a set's buckets, for use while the store cannot be asked. */
  denialFor(set: readonly Charge[]): Denial | undefined {
    return this.#denials.denialFor([set]);
  }

  /** Keeps the denial of a check that was sent at `asked_us`. */
  keep(check: Check, denial: Denial, asked_us: number): void {
    const [charge, ...others] = check.flatMap((set) => bucketIn(set, denial) ?? []);
    if (charge === undefined || others.length > 0) return; // it does not say which of them it denied
    const { now_us, isCurrent } = this.#options;
    if (isCurrent(charge.rule)) this.#denials.remember(denial, charge.cost, now_us() - asked_us);
  }

  forget(buckets: readonly Bucket[]): void {
    for (const bucket of buckets) this.#denials.forget(bucket);
  }

  clear(): void {
    this.#denials.clear();
  }
}
