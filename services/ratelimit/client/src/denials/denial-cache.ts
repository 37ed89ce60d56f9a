import { bucketIn } from '../leaky-bucket/bucket-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { rememberedDenials } from '../leaky-bucket/remembered-denials.ts';
import type { Bucket, BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

/** What is known of denials without asking whoever counts. */
export interface DenialCache {
  /** The denial that answers this check without asking, if it is known. */
  recall(check: Check): Denial | undefined;
  /** The longest wait that is known of a set's buckets, where whoever counts cannot be asked. */
  denialFor(set: readonly Charge[]): Denial | undefined;
  /** Keeps what was said of a check that was asked about at `asked_us`. */
  keep(check: Check, denial: Denial, asked_us: number): void;
  forget(buckets: readonly Bucket[]): void;
  clear(): void;
  /** Denials that are remembered. */
  size(): number;
}

export interface DenialCacheOptions {
  readonly now_us: MicrosecondClock;
  /** Whether a rule holds now. Denials of other rules are not kept: slowmode has one for each interval. */
  isCurrent(rule: BucketRule): boolean;
}

const MAX_ENTRIES = 65_536;

/**
 * A leaky bucket's denial holds until its wait is over whatever others do, so it is given again without
 * asking: a flood on a full bucket costs those who count nothing.
 */
export function denialCache({ now_us, isCurrent }: DenialCacheOptions): DenialCache {
  const denials = rememberedDenials({ max_entries: MAX_ENTRIES, now_us });
  return {
    /*
     * Where a first set has several buckets, another of them may deny for longer by now, and the longest
     * wait is the one to report: only a set of one is answered from here.
     */
    recall: (check) => {
      const first = check[0];
      if (first?.length !== 1 || (first[0]?.cost ?? 0) < 1) return undefined;
      return denials.denialFor(check);
    },
    denialFor: (set) => denials.denialFor([set]),
    keep: (check, denial, asked_us) => {
      const [charge, ...others] = check.flatMap((set) => bucketIn(set, denial) ?? []);
      if (charge === undefined || others.length > 0) return; // which of them it denied is not said
      if (isCurrent(charge.rule)) denials.remember(denial, charge.cost, now_us() - asked_us);
    },
    forget: (buckets) => {
      for (const bucket of buckets) denials.forget(bucket);
    },
    clear: denials.clear,
    size: denials.size,
  };
}
