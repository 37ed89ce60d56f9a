import { createHmac, randomBytes } from 'node:crypto';
import type { ChargeSet } from '@gatehouse/proto/ratelimit';
import type { EdgeRule, EdgeRules } from './edge-rules.ts';
import { isHidden } from './identity.ts';

/** A charge whose bucket is one of this process's own. */
export interface LocalCharge {
  readonly rule: EdgeRule;
  readonly key: string;
  readonly cost: number;
}

/** The buckets in this process that a set of charges at ratelimit stands for. */
export type ToLocal = (set: ChargeSet, rules: EdgeRules) => LocalCharge[];

/**
 * Makes the function that finds them. Login names and e-mail addresses become part of a key as an HMAC
 * under a secret that is never written down.
 */
export function localCharges(): ToLocal {
  const secret = randomBytes(32);

  /** No identity holds a blank but those that are hidden. */
  function keyOf({ key, hides }: EdgeRule, identities: readonly string[]): string {
    if (!hides) return identities.length === 1 ? (identities[0] ?? '') : identities.join(' ');
    return identities.map((one, part) => (isHidden(key[part] ?? '') ? hidden(one) : one)).join(' ');
  }

  function hidden(identity: string): string {
    return createHmac('sha256', secret).update(identity).digest('base64url');
  }

  return ({ charges }, rules) => {
    const local: LocalCharge[] = [];
    for (const { bucket, identities, cost } of charges) {
      const rule = rules.byName.get(bucket);
      if (rule !== undefined) local.push({ rule, key: keyOf(rule, identities), cost: cost ?? 1 });
    }
    return local;
  };
}
