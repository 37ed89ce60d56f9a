import type { Charge } from './store.ts';

/**
 * Adds a charge to a set. A bucket or lease that the set names already is charged the sum of both costs, by `sumOf`.
 */
export function addToSet<C extends Charge>(
  set: C[],
  charge: C,
  sumOf: (earlier: C, charge: C) => number = sum,
): void {
  for (let i = 0; i < set.length; i++) {
    const earlier = set[i] as C; // i is below the length
    if (earlier.rule.index !== charge.rule.index || earlier.key !== charge.key) continue;
    if (earlier.lease_id !== charge.lease_id) continue;
    set[i] = { ...charge, cost: sumOf(earlier, charge) };
    return;
  }
  set.push(charge);
}

function sum(earlier: Charge, charge: Charge): number {
  return earlier.cost + charge.cost;
}
