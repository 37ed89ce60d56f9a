import type { Charge as NamedCharge } from '@gatehouse/proto/ratelimit';
import { addToSet } from '../leaky-bucket/add-to-set.ts';
import type { Charge } from '../leaky-bucket/store.ts';
import type { LimitRules } from '../rules.ts';
import { identityHash } from './identity-hash.ts';
import { keyOf } from './key-of.ts';

/** Finds this process's buckets for charges at ratelimit. Names without a rule are left out. */
export type LocalCharges = (charges: readonly NamedCharge[], rules: LimitRules) => Charge[];

/** Makes this function. It hashes identities with a secret that exists in memory only. */
export function localCharges(): LocalCharges {
  const hash = identityHash(undefined);
  return (charges, { byName }) => {
    const local: Charge[] = [];
    for (const { bucket, identities, cost, lease_id } of charges) {
      const rule = byName.get(bucket);
      if (rule === undefined) continue;
      const charge = { rule, key: keyOf(rule, identities, hash), cost: cost ?? 1 };
      addToSet(local, typeof lease_id === 'string' ? { ...charge, lease_id } : charge);
    }
    return local;
  };
}
