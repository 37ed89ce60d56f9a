import { chargeIn } from '@gatehouse/ratelimit-client/leaky-bucket/charge-in';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Verdict } from './stores/verdict.ts';

export interface BucketCounts {
  readonly bucket: string;
  /** Admitted charges, by any decider. */
  readonly admitted: number;
  /** Denials that named the bucket. */
  readonly denied: number;
}

export interface CheckCounts {
  readonly checks: number;
  /** Checks decided by failure policies. */
  readonly degraded: number;
  /** Checks answered from remembered denials. */
  readonly remembered: number;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Counts of decisions since the process started, by bucket name and never by key. */
export class Statistics {
  readonly #checks: Mutable<CheckCounts> = { checks: 0, degraded: 0, remembered: 0 };
  /** By the rule's index. */
  readonly #buckets: (Mutable<BucketCounts> | undefined)[] = [];

  /** Counts a decided check, unless it only peeks. */
  count(check: Check, { denial, degraded }: Verdict, isRemembered: boolean): void {
    if (onlyPeeks(check)) return;
    this.#checks.checks++;
    if (degraded) this.#checks.degraded++;
    if (isRemembered) this.#checks.remembered++;
    if (denial === undefined) {
      this.#countAdmitted(check, check.length);
      return;
    }
    this.#bucket(denial.rule.index, denial.rule.name).denied++;
    // The sets before the denied one stay charged.
    this.#countAdmitted(
      check,
      check.findIndex((set) => chargeIn(set, denial) !== undefined),
    );
  }

  counts(): CheckCounts {
    return { ...this.#checks };
  }

  /** Buckets with at least one charge, in the order of their rules' indexes. */
  buckets(): readonly BucketCounts[] {
    return this.#buckets.filter((bucket) => bucket !== undefined).map((bucket) => ({ ...bucket }));
  }

  #countAdmitted(check: Check, sets: number): void {
    for (let i = 0; i < sets; i++) {
      for (const { rule, cost } of check[i] ?? []) {
        if (cost > 0) this.#bucket(rule.index, rule.name).admitted++;
      }
    }
  }

  #bucket(index: number, name: string): Mutable<BucketCounts> {
    let bucket = this.#buckets[index];
    if (bucket === undefined) {
      bucket = { bucket: name, admitted: 0, denied: 0 };
      this.#buckets[index] = bucket;
    }
    return bucket;
  }
}

function onlyPeeks(check: Check): boolean {
  for (const set of check) for (const { cost } of set) if (cost !== 0) return false;
  return true;
}
