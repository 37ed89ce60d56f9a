import type { PlannedCharge } from '../exactness/records.ts';
import { plainClient } from './plain-client.ts';
import { type Caller, playPlan } from './play-plan.ts';

/** Plays callers with a client that anyone could write from the .proto files. */
await playPlan(({ address, proto_root, timeout_ms }): Caller => {
  const client = plainClient(address, proto_root);
  return {
    check: async (sets) => {
      const named = sets.map((charges) => ({ charges: charges.map(chargeOf) }));
      const { denial, degraded } = await client.check(named, timeout_ms);
      return `${denial === undefined ? 'A' : 'D'} ${degraded ? 1 : 0}`;
    },
    refund: (charges) => client.refund(charges.map(chargeOf), timeout_ms),
    close: client.close,
  };
});

function chargeOf([bucket, identities, cost, lease_id]: PlannedCharge) {
  return { bucket, identities, cost, ...(lease_id === undefined ? {} : { lease_id }) };
}
