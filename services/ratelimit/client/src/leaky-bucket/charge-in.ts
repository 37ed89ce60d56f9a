import type { Bucket, Charge } from './store.ts';

/** The charge of a bucket in a set. */
export function chargeIn(set: readonly Charge[], { rule, key }: Bucket): Charge | undefined {
  return set.find((charge) => charge.rule.index === rule.index && charge.key === key);
}
