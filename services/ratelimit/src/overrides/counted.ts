import type { Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Rule } from '../reference/reference.ts';
import { isExempt } from './overridden-rule.ts';

/**
 * The charges of a set that are counted under overrides: without those of an exempt identity. A cost above the limit of an
 * override, which may be lower than that of the rule, becomes one that is always denied.
 *
 * @param above how far a cost may be above the limit: 1, and 0 for refunds, which empty the bucket
 */
export function counted<C extends Charge & { readonly rule: Rule }>(
  set: readonly C[],
  above: 0 | 1 = 1,
): C[] {
  const charged: C[] = [];
  for (const charge of set) {
    if (isExempt(charge.rule)) continue;
    const most = charge.rule.limit + above;
    charged.push(charge.cost > most ? { ...charge, cost: most } : charge);
  }
  return charged;
}
