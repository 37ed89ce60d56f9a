import { MAX_PERMITS, rateOf } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { Rule } from '../reference/reference.ts';
import type { Override } from './override.ts';

/** The bucket of slowmode. Its window is the channel's interval, so an override can only exempt from it. */
export const SLOWMODE = 'slowmode';

/** The rule of a bucket under an override. The level of the bucket stays, as after a change of the reference. */
export function overriddenRule(rule: Rule, { quota }: Override): Rule {
  if (quota === undefined) return { ...rule, overridden: { rule, exempt: true } };
  const { window_seconds } = quota;
  const limit = rule.kind === 'concurrency' ? Math.min(quota.limit, MAX_PERMITS) : quota.limit;
  return {
    ...rule,
    window_seconds,
    ...rateOf(limit, window_seconds * 1_000_000, rule.kind),
    overridden: { rule, exempt: false },
  };
}

/** Whether an override admits without counting. */
export function isExempt({ overridden }: Rule): boolean {
  return overridden?.exempt === true;
}
