import type { BucketRule } from './store.ts';

/**
 * Decides which rule gives up a place in a full store. Every group of rules has a share of the places, and may take more
 * while other groups do not need theirs; within a group the rule with the most buckets gives first. So a group within its
 * share never loses a bucket to another group, and a rule never loses one to a larger rule of its group, except for the
 * few that a store evicts at a time.
 */
export class PlaceShares {
  readonly #shares: readonly number[];
  /** The group of each rule. */
  readonly #groupOf: number[] = [];
  /** Places taken by each rule, and by each group. */
  readonly #ofRule: number[] = [];
  readonly #ofGroup: number[];

  /** @param shares the parts of the whole that each group has; rules name their group by its index here */
  constructor(shares: readonly number[]) {
    this.#shares = shares;
    this.#ofGroup = shares.map(() => 0);
  }

  /** Counts a new bucket of a rule. */
  came(rule: BucketRule): void {
    while (this.#ofRule.length <= rule.index) {
      this.#ofRule.push(0);
      this.#groupOf.push(0);
    }
    if (this.#ofRule[rule.index] === 0) this.#groupOf[rule.index] = this.#group(rule);
    this.#add(rule.index, 1);
  }

  /** Counts a bucket that left, by its rule's index. */
  left(index: number): void {
    this.#add(index, -1);
  }

  /** The index of the rule that gives up a bucket for one of `rule`. The store must hold some. */
  giverFor(rule: BucketRule): number {
    const own = this.#group(rule);
    const crowded = greatest(this.#ofGroup.length, (of) => {
      const taken = this.#ofGroup[of] ?? 0;
      return taken === 0 ? 0 : (taken + (of === own ? 1 : 0)) / (this.#shares[of] ?? 1);
    });
    return greatest(this.#ofRule.length, (index) => {
      const taken = this.#ofRule[index] ?? 0;
      if (taken === 0 || this.#groupOf[index] !== crowded) return 0;
      return taken + (index === rule.index ? 1 : 0);
    });
  }

  /** Takes over changed rules, which may belong to other groups. */
  setRules(rules: readonly BucketRule[]): void {
    for (const rule of rules) {
      const taken = this.#ofRule[rule.index] ?? 0;
      if (taken === 0) continue;
      this.#add(rule.index, -taken);
      this.#groupOf[rule.index] = this.#group(rule);
      this.#add(rule.index, taken);
    }
  }

  #add(index: number, count: number): void {
    this.#ofRule[index] = (this.#ofRule[index] ?? 0) + count;
    const of = this.#groupOf[index] ?? 0;
    this.#ofGroup[of] = (this.#ofGroup[of] ?? 0) + count;
  }

  /** A group without a share of its own counts as the first. */
  #group(rule: BucketRule): number {
    const of = rule.group ?? 0;
    return of < this.#shares.length ? of : 0;
  }
}

/** The index, below `count`, with the greatest measure; the first of several. */
function greatest(count: number, measure: (index: number) => number): number {
  let found = 0;
  let most = 0;
  for (let index = 0; index < count; index++) {
    const one = measure(index);
    if (one <= most) continue;
    found = index;
    most = one;
  }
  return found;
}
