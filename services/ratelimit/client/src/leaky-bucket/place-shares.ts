import type { BucketRule } from './store.ts';

/**
 * Who gives up a place in a full store. Every group of rules has a share of the places, and may take more
 * while others do not want theirs; within a group the rule with the most buckets gives first. So a group
 * that holds no more than its share never loses a bucket to another group, and a rule never loses one to a
 * rule of its group that holds more: but for the few that a store lets go at a time.
 */
export interface PlaceShares {
  /** A bucket of the rule came. */
  came(rule: BucketRule): void;
  /** A bucket of the rule with this index left. */
  left(index: number): void;
  /** The index of the rule that gives up a bucket, so that one of `rule` can come. The store holds some. */
  giverFor(rule: BucketRule): number;
  /** The rules were read anew, and may belong to other groups. */
  setRules(rules: readonly BucketRule[]): void;
}

/** `shares`: how many parts of the whole each group has; rules name their group by its place here. */
export function placeShares(shares: readonly number[]): PlaceShares {
  const groupOf: number[] = []; // by rule
  const ofRule: number[] = []; // places taken
  const ofGroup = shares.map(() => 0);

  function came(rule: BucketRule): void {
    while (ofRule.length <= rule.index) {
      ofRule.push(0);
      groupOf.push(0);
    }
    if (ofRule[rule.index] === 0) groupOf[rule.index] = group(rule);
    add(rule.index, 1);
  }

  function add(index: number, count: number): void {
    ofRule[index] = (ofRule[index] ?? 0) + count;
    const of = groupOf[index] ?? 0;
    ofGroup[of] = (ofGroup[of] ?? 0) + count;
  }

  /** A group that has no share of its own counts as the first. */
  function group(rule: BucketRule): number {
    const of = rule.group ?? 0;
    return of < shares.length ? of : 0;
  }

  function giverFor(rule: BucketRule): number {
    const own = group(rule);
    const crowded = greatest(ofGroup.length, (of) => {
      const taken = ofGroup[of] ?? 0;
      return taken === 0 ? 0 : (taken + (of === own ? 1 : 0)) / (shares[of] ?? 1);
    });
    return greatest(ofRule.length, (index) => {
      const taken = ofRule[index] ?? 0;
      if (taken === 0 || groupOf[index] !== crowded) return 0;
      return taken + (index === rule.index ? 1 : 0);
    });
  }

  function setRules(rules: readonly BucketRule[]): void {
    for (const rule of rules) {
      const taken = ofRule[rule.index] ?? 0;
      if (taken === 0) continue;
      add(rule.index, -taken);
      groupOf[rule.index] = group(rule);
      add(rule.index, taken);
    }
  }

  return { came, left: (index) => add(index, -1), giverFor, setRules };
}

/** The place, of so many, that has the greatest measure; the first of several. */
function greatest(count: number, measure: (place: number) => number): number {
  let found = 0;
  let most = 0;
  for (let place = 0; place < count; place++) {
    const one = measure(place);
    if (one <= most) continue;
    found = place;
    most = one;
  }
  return found;
}
