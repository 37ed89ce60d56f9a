import { chargeIn } from '@gatehouse/ratelimit-client/leaky-bucket/charge-in';
import type { BucketRule, Charge, Check, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Verdict } from './stores/verdict.ts';

export interface BucketCounts {
  readonly bucket: string;
  /** Admitted charges, by any decider. */
  readonly admitted: number;
  /** Denials that named the bucket. */
  readonly denied: number;
  /** Of those, in shadow mode: the request passed. */
  readonly shadowed: number;
}

export interface CheckCounts {
  readonly checks: number;
  /** Checks decided by failure policies. */
  readonly degraded: number;
  /** Checks answered from remembered denials. */
  readonly remembered: number;
}

/** A bucket, by what it counts under. */
interface Labelled {
  readonly rule: Pick<BucketRule, 'index' | 'name'>;
  readonly label?: string;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Labels with values of requests. Beyond it, charges count under the names of their rules. */
const MAX_LABELS = 1_000;

/**
 * Counts of decisions since the process started, by bucket name, and by key only where a limit of descriptors asks for it
 * (`detailed_metric`, `value_to_metric`).
 */
export class Statistics {
  readonly #checks: Mutable<CheckCounts> = { checks: 0, degraded: 0, remembered: 0 };
  /** By the rule's index. */
  readonly #buckets: (Mutable<BucketCounts> | undefined)[] = [];
  readonly #labelled = new Map<string, Mutable<BucketCounts>>();
  readonly #onDenied: (charge: Charge, denial: Denial) => void;

  /** @param onDenied called with each denied charge */
  constructor(onDenied: (charge: Charge, denial: Denial) => void = () => undefined) {
    this.#onDenied = onDenied;
  }

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
    // The sets before the denied one stay charged.
    const at = check.findIndex((set) => chargeIn(set, denial) !== undefined);
    const charge = chargeIn(check[at] ?? [], denial);
    this.#countsOf(charge ?? denial).denied++;
    if (charge !== undefined) this.#onDenied(charge, denial);
    this.#countAdmitted(check, at);
  }

  /** Counts a denial that shadow mode turned into an admission, after `count`. */
  countShadowed(charge: Labelled): void {
    this.#countsOf(charge).shadowed++;
  }

  counts(): CheckCounts {
    return { ...this.#checks };
  }

  /** Buckets with at least one charge, in the order of their rules' indexes, and then those with labels. */
  buckets(): readonly BucketCounts[] {
    return [...this.#buckets, ...this.#labelled.values()]
      .filter((bucket) => bucket !== undefined)
      .map((bucket) => ({ ...bucket }));
  }

  #countAdmitted(check: Check, sets: number): void {
    for (let i = 0; i < sets; i++) {
      for (const charge of check[i] ?? []) {
        if (charge.cost > 0) this.#countsOf(charge).admitted++;
      }
    }
  }

  #countsOf({ rule: { index, name }, label }: Labelled): Mutable<BucketCounts> {
    const known = label === undefined ? this.#buckets[index] : this.#labelled.get(label);
    if (known !== undefined) return known;
    if (label !== undefined && this.#labelled.size >= MAX_LABELS) {
      return this.#countsOf({ rule: { index, name } });
    }
    const counts = { bucket: label ?? name, admitted: 0, denied: 0, shadowed: 0 };
    if (label === undefined) this.#buckets[index] = counts;
    else this.#labelled.set(label, counts);
    return counts;
  }
}

function onlyPeeks(check: Check): boolean {
  for (const set of check) for (const { cost } of set) if (cost !== 0) return false;
  return true;
}
