import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { rememberedDenials } from '@gatehouse/ratelimit-client/leaky-bucket/remembered-denials';
import type { Bucket, Check, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { bucketIn } from '../checks/bucket-in.ts';
import type { Rules } from '../reference/rules.ts';

/** What is known of denials without asking the store. */
export interface DenialCache {
  /** The denial that holds for this check, if it is known. */
  recall(check: Check): Denial | undefined;
  /** Keeps what the store said of a check that it was asked at `asked_us`. */
  keep(check: Check, denial: Denial, asked_us: number): void;
  forget(buckets: readonly Bucket[]): void;
}

const MAX_ENTRIES = 65_536;

/**
 * A leaky bucket's denial holds until its wait is over whatever others do, so it is answered without
 * asking: a flood on a denied key costs the store nothing.
 */
export function denialCache(rules: Rules, now_us: MicrosecondClock): DenialCache {
  const denials = rememberedDenials({ max_entries: MAX_ENTRIES, now_us });
  rules.onReload(denials.clear);
  return {
    /*
     * Where a first set has several buckets, another of them may deny for longer by now, and that is the
     * one to report: only a set of one is answered from here.
     */
    recall: (check) => {
      const first = check[0];
      if (first?.length !== 1 || (first[0]?.cost ?? 0) < 1) return undefined;
      return denials.denialFor(check);
    },
    keep: (check, denial, asked_us) => {
      const [charge, ...others] = check.flatMap((set) => bucketIn(set, denial) ?? []);
      if (charge === undefined || others.length > 0) return; // which of them it denied is not said
      // One of rules that have changed since, or of an RPC that makes its own (slowmode), is not kept.
      if (rules.current().byName.get(charge.rule.name) !== charge.rule) return;
      denials.remember(denial, charge.cost, now_us() - asked_us);
    },
    forget: (buckets) => {
      for (const bucket of buckets) denials.forget(bucket);
    },
  };
}
