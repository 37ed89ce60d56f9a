import {
  RateLimitResponse_Code as Code,
  type RateLimitResponse_DescriptorStatus as DescriptorStatus,
  type RateLimitResponse,
  RateLimitResponse_RateLimit_Unit as Unit,
} from '@gatehouse/proto/envoy/ratelimit';
import type { BucketState, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import {
  type HeaderForm,
  headerList,
  leastQuota,
  type Quota,
  quotaHeaders,
  quotaOf,
} from '../envoy/quota-headers.ts';
import { deniedState, durationOf, exceeds, mapKeyOf } from '../envoy/statuses.ts';
import type { RequestDecision } from './decide-request.ts';
import type { UnitName } from './file/units.ts';
import type { LimitCharge, ReadDescriptor } from './read-request.ts';

/** Of an unlimited descriptor, as in envoyproxy/ratelimit. */
const UNLIMITED_REMAINING = 0xffff_ffff;

const UNITS: Readonly<Record<UnitName, Unit>> = {
  second: Unit.SECOND,
  minute: Unit.MINUTE,
  hour: Unit.HOUR,
  day: Unit.DAY,
  week: Unit.WEEK,
  month: Unit.MONTH,
  year: Unit.YEAR,
};

/** The answer for a configured domain. A denial has no body: Envoy sends its own. */
export function answerOf(
  descriptors: readonly ReadDescriptor[],
  decision: RequestDecision,
  forms: readonly HeaderForm[],
): RateLimitResponse {
  const { denial, exhausted, degraded } = decision;
  const states = new Map(
    [...exhausted.map(deniedState), ...decision.states].map((state) => [mapKeyOf(state), state]),
  );
  const denied = new Set(exhausted.map(mapKeyOf));
  const stateOf = (charge: LimitCharge) => states.get(mapKeyOf(charge));
  const isOver = (charge: LimitCharge): boolean => {
    if (charge.mode === 'shadow') return false;
    const state = stateOf(charge);
    return (
      denied.has(mapKeyOf(charge)) ||
      (denial !== undefined && state !== undefined && exceeds(charge, state.level))
    );
  };
  const statuses = descriptors.map((descriptor): DescriptorStatus => {
    if (typeof descriptor === 'string') return withoutLimit(descriptor);
    return {
      code: isOver(descriptor) ? Code.OVER_LIMIT : Code.OK,
      ...limitFields(descriptor, stateOf(descriptor)),
    };
  });
  const charges = descriptors.filter((descriptor) => typeof descriptor !== 'string');
  const metadata = metadataOf(charges.filter((charge) => !isOver(charge)));
  const headers = headersOf(charges, denial, stateOf, forms);
  return {
    overall_code: denial !== undefined ? Code.OVER_LIMIT : Code.OK,
    statuses,
    response_headers_to_add: headerList(headers),
    raw_body: new Uint8Array(),
    dynamic_metadata:
      degraded || metadata !== undefined ? { ...(degraded && { degraded }), ...metadata } : null,
  };
}

function withoutLimit(descriptor: 'unlimited' | 'no limit'): DescriptorStatus {
  const limit_remaining = descriptor === 'unlimited' ? UNLIMITED_REMAINING : 0;
  return { code: Code.OK, current_limit: null, limit_remaining, duration_until_reset: null };
}

function limitFields({ shown }: LimitCharge, state: BucketState | undefined): Omit<DescriptorStatus, 'code'> {
  const { name, requests_per_unit, unit, unit_multiplier } = shown;
  return {
    current_limit: {
      name,
      requests_per_unit,
      unit: UNITS[unit],
      unit_multiplier: unit_multiplier === 1 ? null : unit_multiplier,
    },
    limit_remaining: state === undefined ? 0 : quotaOf(state, name, requests_per_unit).remaining,
    duration_until_reset: state === undefined ? null : durationOf(state.empty_after_us),
  };
}

/** The members of all limits that admit; of two of one name, the first limit's. */
function metadataOf(charges: readonly LimitCharge[]): { readonly metadata: object } | undefined {
  const all = charges.flatMap(({ metadata }) => metadata ?? []);
  return all.length === 0 ? undefined : { metadata: Object.assign({}, ...all.toReversed()) };
}

/** Those of the limit that is closest to denial, or that denies. A limit in shadow mode never denies. */
function headersOf(
  charges: readonly LimitCharge[],
  denial: Denial | undefined,
  stateOf: (charge: LimitCharge) => BucketState | undefined,
  forms: readonly HeaderForm[],
): Record<string, string> {
  const retry = denial && {
    'retry-after': String(Math.max(1, Math.ceil(denial.retry_after_us / 1_000_000))),
  };
  if (forms.length === 0) return retry ?? {};
  const denying = charges.filter((charge) => denial !== undefined && mapKeyOf(charge) === mapKeyOf(denial));
  const counted = denying.length > 0 ? denying : charges.filter(({ mode }) => mode !== 'shadow');
  const quota = leastQuota(
    counted.flatMap((charge): Quota[] => {
      const { shown, rule } = charge;
      const state = stateOf(charge);
      return state === undefined ? [] : [quotaOf(state, shown.name || rule.name, shown.requests_per_unit)];
    }),
  );
  return { ...retry, ...(quota && quotaHeaders(quota, forms)) };
}
