import { identitiesOfKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import type { Charge, Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Rule } from '../reference/reference.ts';
import { counted } from './counted.ts';
import type { OverrideTable } from './override-table.ts';

/** A check of internal rows (slowmode, profile fields) under overrides. Their keys have plain IDs. */
export function internalCheck(
  charges: readonly (Charge & { readonly rule: Rule })[],
  overrides: OverrideTable,
): Check {
  if (overrides.size === 0) return [charges];
  const set = counted(
    charges.map((charge) => ({
      ...charge,
      rule: overrides.ruleFor(charge.rule, identitiesOfKey(charge.key)),
    })),
  );
  return set.length === 0 ? [] : [set];
}
