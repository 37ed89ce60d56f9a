import type { Rate } from './rate.ts';
import type { Bucket, BucketState, Lease } from './store.ts';

/**
 * The arithmetic of a concurrency limit. A lease holds its permits until it is released, or until a window after it was
 * granted or last renewed. The functions take the leases that hold permits now, in the order of their ends.
 */

/** After a clock that went back, a lease ends a window after the clock's new time. */
export function latestEnd({ window_us }: Rate, now_us: number): number {
  return now_us + window_us;
}

/** The leases that hold permits at `now_us`, of stored ones. */
export function liveLeases(rate: Rate, leases: readonly Lease[], now_us: number): Lease[] {
  const latest_us = latestEnd(rate, now_us);
  return leases
    .filter(({ ends_us }) => ends_us > now_us)
    .map((lease) => (lease.ends_us > latest_us ? { ...lease, ends_us: latest_us } : lease));
}

/**
 * Microseconds until `cost` permits are granted to the lease `id`, if no other lease is granted, renewed or released; 0: now.
 * A lease that lives needs only what it does not hold yet; so a renewal without more permits is always granted, under a
 * lowered limit too. A cost of 0 counts as one permit, and one below 0 is a release, which is always admitted. A cost above
 * the limit never fits.
 *
 * @param more permits that other leases take in the same step
 */
export function permitWait(
  { limit, window_us }: Rate,
  leases: readonly Lease[],
  id: string | undefined,
  cost: number,
  now_us: number,
  more = 0,
): number {
  const wanted = Math.max(1, cost);
  let own = 0;
  let others = more;
  for (const lease of leases) {
    if (lease.id === id) own = lease.permits;
    else others += lease.permits;
  }
  let excess = others + wanted - limit;
  if (cost < 0 || excess <= 0 || wanted <= own) return 0;
  for (const lease of leases) {
    if (lease.id === id) continue;
    excess -= lease.permits;
    if (excess <= 0) return lease.ends_us - now_us;
  }
  return window_us;
}

/** The state of a bucket with these leases. */
export function permitState(
  { rule, key }: Bucket,
  leases: readonly Lease[],
  now_us: number,
): BucketState & { readonly leases: readonly Lease[] } {
  return {
    rule,
    key,
    level: leases.reduce((held, { permits }) => held + permits, 0),
    retry_after_us: permitWait(rule, leases, undefined, 1, now_us),
    empty_after_us: timeToLastEnd(leases, now_us),
    leases,
  };
}

/** Microseconds until the last lease ends. */
export function timeToLastEnd(leases: readonly Lease[], now_us: number): number {
  return (leases.at(-1)?.ends_us ?? now_us) - now_us;
}
