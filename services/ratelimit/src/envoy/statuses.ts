import {
  RateLimitResponse_Code as Code,
  type RateLimitResponse_DescriptorStatus as DescriptorStatus,
  type RateLimitResponse_RateLimit as RateLimit,
  RateLimitResponse_RateLimit_Unit as Unit,
} from '@gatehouse/proto/envoy/ratelimit';
import type { Bucket, BucketState, Charge, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { RuleCharge } from '../checks/charge-reader.ts';
import { stateMessage } from '../checks/messages.ts';
import type { Rule } from '../reference/reference.ts';

/** The status of each descriptor, in order. `states`: those right after the decision, of the buckets whose state is known. */
export function statuses(
  charges: readonly RuleCharge[],
  denial: Denial | undefined,
  states: readonly BucketState[],
): DescriptorStatus[] {
  const denied = denial === undefined ? undefined : mapKeyOf(denial);
  const stateOf = new Map(states.map((state) => [mapKeyOf(state), state]));
  return charges.map((charge) => {
    const key = mapKeyOf(charge);
    const state =
      stateOf.get(key) ?? (denial !== undefined && key === denied ? deniedState(denial) : undefined);
    const isOver =
      key === denied || (denial !== undefined && state !== undefined && exceeds(charge, state.level));
    return { code: isOver ? Code.OVER_LIMIT : Code.OK, ...limitFields(charge.rule, state) };
  });
}

/** Identifies a bucket. */
export function mapKeyOf({ rule, key }: Bucket): string {
  return `${rule.index} ${key}`;
}

/** The state of a denied bucket. The level is exact to the microsecond of its drain. */
export function deniedState(denial: Denial): BucketState {
  const { rule, empty_after_us } = denial;
  const level = rule.kind === 'leaky_bucket' ? (empty_after_us / rule.tick_us) * rule.limit : rule.capacity;
  return { ...denial, level: Math.min(rule.capacity, level) };
}

/** Whether a charge would be denied at this level. */
export function exceeds({ rule, cost }: Charge, level: number): boolean {
  if (cost < 0) return false;
  return level + Math.max(cost, 1) * rule.token > rule.capacity;
}

function limitFields(rule: Rule, state: BucketState | undefined): Omit<DescriptorStatus, 'code'> {
  if (state === undefined) return { current_limit: null, limit_remaining: 0, duration_until_reset: null };
  return {
    current_limit: limitOf(rule),
    limit_remaining: stateMessage(state).remaining,
    duration_until_reset: durationOf(state.empty_after_us),
  };
}

export function durationOf(us: number): { readonly seconds: number; readonly nanos: number } {
  return { seconds: Math.floor(us / 1_000_000), nanos: (us % 1_000_000) * 1000 };
}

const UNITS = [
  [86_400, Unit.DAY],
  [3_600, Unit.HOUR],
  [60, Unit.MINUTE],
] as const;

/** The limit in the largest unit that divides the window. A multiplier of 1 is left out. */
function limitOf({ name, limit, window_seconds }: Rule): RateLimit {
  const [seconds, unit] = UNITS.find(([length]) => window_seconds % length === 0) ?? [1, Unit.SECOND];
  const units = window_seconds / seconds;
  return { name, requests_per_unit: limit, unit, unit_multiplier: units === 1 ? null : units };
}
