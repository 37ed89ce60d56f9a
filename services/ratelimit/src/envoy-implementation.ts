import { type Implementation, implement } from '@gatehouse/kit/rpc';
import { saturating } from '@gatehouse/kit/rpc/messages/codec';
import { RateLimitRequest, RateLimitServiceDefinition } from '@gatehouse/proto/envoy/ratelimit';
import type { Deps } from './deps.ts';
import { shouldRateLimit } from './rpc/should-rate-limit.ts';

const { methods } = RateLimitServiceDefinition;

/** Hits may have 64 bits. A value above the largest safe integer counts as more than any limit. */
const SERVICE = {
  ...RateLimitServiceDefinition,
  methods: {
    ...methods,
    shouldRateLimit: { ...methods.shouldRateLimit, requestType: saturating(RateLimitRequest) },
  },
} as const;

/** Envoy's rate limit protocol, for Envoy and other clients of it: the same buckets, rules and decider. */
export function envoyImplementation(deps: Deps): Implementation {
  return implement(SERVICE, { shouldRateLimit: shouldRateLimit(deps) });
}
