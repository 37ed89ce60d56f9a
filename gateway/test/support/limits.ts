import { silentLogger } from '@gatehouse/kit/log';
import { monotonicClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { checkBuckets } from '../../src/check-buckets.ts';
import type { ServiceConnections } from '../../src/connections.ts';
import { edgeLimits, type Limits, type LimitsOptions } from '../../src/limit/limits.ts';

/** The edge's limits as its start opens them. */
export async function openLimits(
  { ratelimit }: Pick<ServiceConnections, 'ratelimit'>,
  overrides: Partial<LimitsOptions> = {},
): Promise<Limits> {
  return edgeLimits({
    client: ratelimit.client,
    served: overrides.served ?? (await checkBuckets(ratelimit, silentLogger)),
    replicas: 1,
    enforced: true,
    now_us: monotonicClock,
    log: silentLogger,
    ...overrides,
  });
}
