import type { Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { DeniedBucket, Mark } from './denied-bucket.ts';

const MAX_BUCKETS = 2_048;
/** How many stay when there are too many. */
const KEPT_BUCKETS = 1_024;

/** Counts denials by bucket. When there are too many buckets, those with few denials are dropped. */
export class DeniedBuckets {
  /** By the rule's index, then by key. */
  #byRule: (Map<string, DeniedBucket> | undefined)[] = [];
  #size = 0;

  /** The counts of a charge's bucket. @param mark called for a new one */
  of(charge: Charge, mark: () => Mark | undefined): DeniedBucket {
    const { rule, key } = charge;
    const known = this.#byRule[rule.index]?.get(key);
    if (known !== undefined) return known;
    if (this.#size >= MAX_BUCKETS) this.#prune();
    const denied = { bucket: { rule, key }, mark: mark(), denials: 0, last_denied_us: 0, denied_until_us: 0 };
    this.#add(denied);
    return denied;
  }

  *all(): Generator<DeniedBucket> {
    for (const ofRule of this.#byRule) if (ofRule !== undefined) yield* ofRule.values();
  }

  #add(denied: DeniedBucket): void {
    const { rule, key } = denied.bucket;
    let ofRule = this.#byRule[rule.index];
    if (ofRule === undefined) {
      ofRule = new Map();
      this.#byRule[rule.index] = ofRule;
    }
    ofRule.set(key, denied);
    this.#size++;
  }

  #prune(): void {
    const kept = [...this.all()]
      .sort((a, b) => b.denials - a.denials || b.last_denied_us - a.last_denied_us)
      .slice(0, KEPT_BUCKETS);
    this.#byRule = [];
    this.#size = 0;
    for (const denied of kept) this.#add(denied);
  }
}
