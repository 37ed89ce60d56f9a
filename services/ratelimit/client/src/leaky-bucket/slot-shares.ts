import type { BucketRule } from './store.ts';

/**
 * Chooses the rule whose buckets are evicted from a full store. Each group of rules has a share of the slots, and may use
 * more while other groups leave theirs unused. Buckets are evicted from the group that exceeds its share most, and there
 * from the rule with the most buckets. So a group within its share never loses a bucket to another group, and a rule never
 * loses one to a larger rule of its group, except for the few that a store evicts at a time.
 */
export class SlotShares {
  readonly #shares: readonly number[];
  readonly #groupByRule: number[] = [];
  readonly #slotsByRule: number[] = [];
  readonly #slotsByGroup: number[];

  /** @param shares each group's relative share of the slots; a rule's `group` is an index here */
  constructor(shares: readonly number[]) {
    this.#shares = shares;
    this.#slotsByGroup = shares.map(() => 0);
  }

  /** Counts a new bucket of a rule. */
  added(rule: BucketRule): void {
    while (this.#slotsByRule.length <= rule.index) {
      this.#slotsByRule.push(0);
      this.#groupByRule.push(0);
    }
    if (this.#slotsByRule[rule.index] === 0) this.#groupByRule[rule.index] = this.#groupOf(rule);
    this.#count(rule.index, 1);
  }

  /** Counts a removed bucket, by its rule's index. */
  removed(index: number): void {
    this.#count(index, -1);
  }

  /** The index of the rule that loses buckets when one of `rule` needs a slot. The store must hold some. */
  ruleToEvictFor(rule: BucketRule): number {
    const own = this.#groupOf(rule);
    const fullest = greatest(this.#slotsByGroup.length, (group) => {
      const slots = this.#slotsByGroup[group] ?? 0;
      return slots === 0 ? 0 : (slots + (group === own ? 1 : 0)) / (this.#shares[group] ?? 1);
    });
    return greatest(this.#slotsByRule.length, (index) => {
      const slots = this.#slotsByRule[index] ?? 0;
      if (slots === 0 || this.#groupByRule[index] !== fullest) return 0;
      return slots + (index === rule.index ? 1 : 0);
    });
  }

  /** Applies changed rules, which may belong to other groups. */
  setRules(rules: readonly BucketRule[]): void {
    for (const rule of rules) {
      const slots = this.#slotsByRule[rule.index] ?? 0;
      if (slots === 0) continue;
      this.#count(rule.index, -slots);
      this.#groupByRule[rule.index] = this.#groupOf(rule);
      this.#count(rule.index, slots);
    }
  }

  #count(index: number, slots: number): void {
    this.#slotsByRule[index] = (this.#slotsByRule[index] ?? 0) + slots;
    const group = this.#groupByRule[index] ?? 0;
    this.#slotsByGroup[group] = (this.#slotsByGroup[group] ?? 0) + slots;
  }

  /** A group without a share counts as the first. */
  #groupOf(rule: BucketRule): number {
    const group = rule.group ?? 0;
    return group < this.#shares.length ? group : 0;
  }
}

/** The index below `count` with the greatest measure; the first of several, and 0 if no measure is above 0. */
function greatest(count: number, measure: (index: number) => number): number {
  let found = 0;
  let max = 0;
  for (let index = 0; index < count; index++) {
    const measured = measure(index);
    if (measured <= max) continue;
    found = index;
    max = measured;
  }
  return found;
}
