import { silentLogger } from '@gatehouse/kit/log';
import type { RateLimits, RateLimitsOptions } from '@gatehouse/ratelimit-client';
import { rateLimitsOver } from '@gatehouse/ratelimit-client/rate-limits-over';
import { checkBuckets } from '../../src/check-buckets.ts';
import type { ServiceConnections } from '../../src/connections.ts';

/** The edge's limits as its start opens them. */
export async function openLimits(
  { ratelimit }: Pick<ServiceConnections, 'ratelimit'>,
  overrides: RateLimitsOptions = {},
): Promise<RateLimits> {
  return rateLimitsOver(ratelimit, {
    served: overrides.served ?? (await checkBuckets(ratelimit, silentLogger)),
    ...overrides,
  });
}
