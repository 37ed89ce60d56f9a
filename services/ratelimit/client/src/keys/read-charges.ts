import type { Charge as NamedCharge } from '@gatehouse/proto/ratelimit';
import type { Charge } from '../leaky-bucket/store.ts';
import type { LimitRules } from '../rules.ts';
import { identityHash } from './identity-hash.ts';
import { keyOf } from './key-of.ts';

/** Finds this process's buckets for charges at ratelimit. Names without a rule are left out. */
export type ReadCharges = (charges: readonly NamedCharge[], rules: LimitRules) => Charge[];

/** Makes the function. It hashes with a secret that is never written down. */
export function chargesReader(): ReadCharges {
  const hash = identityHash(undefined);
  return (charges, { byName }) => {
    const read: Charge[] = [];
    for (const { bucket, identities, cost } of charges) {
      const rule = byName.get(bucket);
      if (rule !== undefined) add(read, { rule, key: keyOf(rule, identities, hash), cost: cost ?? 1 });
    }
    return read;
  };
}

/** A bucket that a set names twice is charged the sum. */
function add(read: Charge[], { rule, key, cost }: Charge): void {
  const same = read.findIndex((earlier) => earlier.rule === rule && earlier.key === key);
  if (same < 0) read.push({ rule, key, cost });
  else read[same] = { rule, key, cost: cost + (read[same]?.cost ?? 0) };
}
