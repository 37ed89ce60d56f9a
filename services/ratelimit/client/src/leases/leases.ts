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

  async acquire(charge: Charge, calls: Omit<LeaseCalls, 'onEnd'>): Promise<Acquired> {
    const named = { ...charge, lease_id: charge.lease_id ?? randomUUID() };
    const denial = await calls.check(named);
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
