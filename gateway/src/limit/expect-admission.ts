import type { ChargeSet } from '@gatehouse/proto/ratelimit';
import type { RateLimits } from '@gatehouse/ratelimit-kit-client';
import { rateLimited } from './rate-limited.ts';

/**
 * Checks that the sets, which are charged later, would be admitted now. If not, the request counts against the global
 * bucket, as every request does, and against no other.
 *
 * @throws RateLimited
 */
export async function expectAdmission(
  limits: RateLimits,
  sets: readonly ChargeSet[],
  requestId: string,
): Promise<void> {
  const own = sets.at(-1);
  const denial = own && (await limits.dryRun(own, requestId));
  if (denial === undefined) return;
  const global = sets.length > 1 ? await limits.check(sets.slice(0, -1), requestId) : undefined;
  throw rateLimited(global ?? denial);
}
