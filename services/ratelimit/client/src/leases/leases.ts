import { randomUUID } from 'node:crypto';
import type { Charge, Denial } from '@gatehouse/proto/ratelimit';
import { Lease, type LeaseCalls } from './lease.ts';

/** A lease, or the denial of one. */
export type Acquired =
  | { readonly lease: Lease; readonly denial?: undefined }
  | { readonly lease?: undefined; readonly denial: Denial };

/** The leases that this process holds. */
export class Leases {
  readonly #held = new Set<Lease>();

  /** @param grant the first check, for the caller; renewals are not the caller's */
  async acquire(
    charge: Charge,
    grant: LeaseCalls['check'],
    calls: Omit<LeaseCalls, 'onEnd'>,
  ): Promise<Acquired> {
    const named = { ...charge, lease_id: charge.lease_id ?? randomUUID() };
    const denial = await grant(named).catch((error: unknown) => {
      // The caller may have stopped waiting for a check that was granted.
      calls.refund(named).catch(() => undefined);
      throw error;
    });
    if (denial !== undefined) return { denial };
    const lease = new Lease(named, { ...calls, onEnd: (ended) => this.#held.delete(ended) });
    this.#held.add(lease);
    return { lease };
  }

  /** Renews none any more. */
  stop(): void {
    for (const lease of this.#held) lease.stop();
  }
}
