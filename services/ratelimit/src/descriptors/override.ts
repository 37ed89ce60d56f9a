import type { RateLimitRequest } from '@gatehouse/proto/envoy/ratelimit';
import { type Rate, rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { badOverride } from '../envoy/errors.ts';
import type { Algorithm } from './file/definitions.ts';
import { type UnitName, windowSeconds } from './file/units.ts';
import type { ShownLimit } from './shown-limit.ts';

type LimitOverride = NonNullable<RateLimitRequest['descriptors'][number]['limit']>;

/** By the numbers of envoy.type.v3.RateLimitUnit. */
const UNITS: readonly (UnitName | undefined)[] = [
  undefined,
  'second',
  'minute',
  'hour',
  'day',
  'month',
  'year',
];

/**
 * The `limit` in a descriptor of a request.
 *
 * @throws BAD_LIMIT
 */
export function overrideOf(
  { requests_per_unit, unit: number, unit_multiplier }: LimitOverride,
  algorithm: Algorithm,
): { readonly shown: ShownLimit; readonly rate: Rate } {
  const unit = UNITS[number];
  const multiplier = unit_multiplier ?? 1;
  const window_seconds = unit && windowSeconds(unit, multiplier);
  if (unit === undefined || window_seconds === undefined) throw badOverride();
  try {
    return {
      shown: { name: '', requests_per_unit, unit, unit_multiplier: multiplier },
      rate: rate(Math.max(1, requests_per_unit), window_seconds, algorithm),
    };
  } catch (error) {
    if (error instanceof RangeError) throw badOverride();
    throw error;
  }
}
