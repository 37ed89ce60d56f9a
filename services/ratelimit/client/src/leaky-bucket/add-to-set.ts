import type { Charge } from './store.ts';

/** Adds a charge to a set. A bucket that the set names already is charged the sum of both costs, by `sumOf`. */
export function addToSet<C extends Charge>(
  set: C[],
  charge: C,
  sumOf: (earlier: C, charge: C) => number = sum,
): void {
  const { rule, key } = charge;
  const index = set.findIndex((earlier) => earlier.rule.index === rule.index && earlier.key === key);
  const earlier = set[index];
  if (earlier === undefined) set.push(charge);
  else set[index] = { ...charge, cost: sumOf(earlier, charge) };
}

function sum(earlier: Charge, charge: Charge): number {
  return earlier.cost + charge.cost;
}
