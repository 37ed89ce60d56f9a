import { bucketIn } from '@gatehouse/ratelimit-client/leaky-bucket/bucket-in';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Verdict } from './stores/verdict.ts';

export interface BucketCounts {
  readonly bucket: string;
  /** Charges, by any decider. */
  readonly admitted: number;
  /** Denials that named the bucket. */
  readonly denied: number;
}

export interface Counts {
  readonly checks: number;
  readonly degraded: number;
  readonly remembered: number;
}

/** Counts of decisions since the process started, by bucket name and never by key. */
export interface Statistics {
  count(check: Check, verdict: Verdict, isRemembered: boolean): void;
  counts(): Counts;
  /** Buckets with at least one charge, in the order of their rules' indexes. */
  buckets(): readonly BucketCounts[];
}

export function statistics(): Statistics {
  const rows: ({ readonly bucket: string; admitted: number; denied: number } | undefined)[] = [];
  const counts = { checks: 0, degraded: 0, remembered: 0 };

  function admit(check: Check, sets: number): void {
    for (let i = 0; i < sets; i++) {
      for (const { rule, cost } of check[i] ?? []) {
        if (cost <= 0) continue; // a question, or a refund
        row(rule.index, rule.name).admitted++;
      }
    }
  }

  function row(index: number, bucket: string): { admitted: number; denied: number } {
    let found = rows[index];
    if (found === undefined) {
      found = { bucket, admitted: 0, denied: 0 };
      rows[index] = found;
    }
    return found;
  }

  return {
    count: (check, { denial, degraded }, isRemembered) => {
      if (check.every((set) => set.every(({ cost }) => cost === 0))) return; // a question alone
      counts.checks++;
      if (degraded) counts.degraded++;
      if (isRemembered) counts.remembered++;
      if (denial === undefined) return admit(check, check.length);
      row(denial.rule.index, denial.rule.name).denied++;
      // Sets before the one that denied stay charged.
      admit(
        check,
        Math.max(
          0,
          check.findIndex((set) => bucketIn(set, denial) !== undefined),
        ),
      );
    },
    counts: () => ({ ...counts }),
    buckets: () => rows.filter((one) => one !== undefined).map((one) => ({ ...one })),
  };
}
