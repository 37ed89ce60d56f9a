import { type Implementation, implement } from '@gatehouse/kit/rpc';
import { RateLimitServiceDefinition } from '@gatehouse/proto/envoy/ratelimit';
import type { Deps } from '../deps.ts';
import { shouldRateLimit } from '../rpc/should-rate-limit.ts';

/** Envoy's rate limit protocol, for Envoy and whoever speaks it: the same buckets, rules and decider. */
export function envoyImplementation(deps: Deps): Implementation {
  return implement(RateLimitServiceDefinition, { shouldRateLimit: shouldRateLimit(deps) });
}
