import { type Implementation, implement } from '@gatehouse/kit/rpc';
import { saturating } from '@gatehouse/kit/rpc/messages/codec';
import { RateLimitRequest, RateLimitServiceDefinition } from '@gatehouse/proto/envoy/ratelimit';
import type { Deps } from './deps.ts';
import { shouldRateLimit } from './rpc/should-rate-limit.ts';

const { methods } = RateLimitServiceDefinition;

/** Hits may be any 64 bits: more than a number holds are as many as never fit. */
const SERVICE = {
  ...RateLimitServiceDefinition,
  methods: {
    ...methods,
    shouldRateLimit: { ...methods.shouldRateLimit, requestType: saturating(RateLimitRequest) },
  },
} as const;

/** Envoy's rate limit protocol, for Envoy and whoever speaks it: the same buckets, rules and decider. */
export function envoyImplementation(deps: Deps): Implementation {
  return implement(SERVICE, { shouldRateLimit: shouldRateLimit(deps) });
}
