import { connectRateLimits } from '@gatehouse/ratelimit-client';
import type { PlannedCharge } from '../exactness/records.ts';
import { type Caller, playPlan } from './play-plan.ts';

/** Plays callers with the published client, which has one CheckStream for all of them. */
await playPlan(({ address, timeout_ms }): Caller => {
  const limits = connectRateLimits(address, { timeout_ms });
  return {
    check: async (sets) => {
      const denial = await limits.check(sets.map((charges) => ({ charges: charges.map(chargeOf) })));
      return denial === undefined ? 'A -' : 'D -';
    },
    refund: (charges) => limits.refund(charges.map(chargeOf)),
    close: () => limits.close(),
  };
});

function chargeOf([bucket, identities, cost, lease_id]: PlannedCharge) {
  return { bucket, identities: [...identities], cost, ...(lease_id === undefined ? {} : { lease_id }) };
}
