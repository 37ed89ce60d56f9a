import type { BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { stateMessage } from '../checks/messages.ts';

export const HEADER_FORMS = ['x-ratelimit', 'ietf'] as const;
export type HeaderForm = (typeof HEADER_FORMS)[number];

/** How much is left of a limit. All times are in microseconds. */
export interface Quota {
  /** The name of the limit. */
  readonly policy: string;
  readonly limit: number;
  readonly window_us: number;
  readonly remaining: number;
  /** Until the whole limit is free. */
  readonly reset_us: number;
  /** Until one more token is free; 0 if all are. */
  readonly next_us: number;
}

/** @param limit 0 for a limit that denies everything, whose rule has one token */
export function quotaOf(state: BucketState, policy = state.rule.name, limit = state.rule.limit): Quota {
  const { rule, empty_after_us } = state;
  const remaining = Math.min(limit, stateMessage(state).remaining);
  return {
    policy,
    limit,
    window_us: rule.window_us,
    remaining,
    reset_us: empty_after_us,
    next_us: nextAfter(state, remaining),
  };
}

/** The quota that is closest to denial: the first with the fewest tokens left. */
export function leastQuota(quotas: readonly Quota[]): Quota | undefined {
  return quotas.reduce<Quota | undefined>(
    (least, quota) => (least === undefined || quota.remaining < least.remaining ? quota : least),
    undefined,
  );
}

/**
 * The headers of a quota. `x-ratelimit` is that of envoyproxy/ratelimit, whose reset is in seconds from now. `ietf` is that of
 * draft-ietf-httpapi-ratelimit-headers, where `t` is the time until more quota is available.
 */
export function quotaHeaders(quota: Quota, forms: readonly HeaderForm[]): Record<string, string> {
  const headers: Record<string, string> = {};
  if (forms.includes('x-ratelimit')) Object.assign(headers, xRatelimit(quota));
  if (forms.includes('ietf')) Object.assign(headers, ietf(quota));
  return headers;
}

/** Those of a bucket of the reference: `x-ratelimit` has the form of the 429 (docs/rate-limits.md#headers). */
export function referenceHeaders(
  quota: Quota,
  forms: readonly HeaderForm[],
  now_ms: number,
): Record<string, string> {
  const headers = quotaHeaders(quota, forms);
  if (!forms.includes('x-ratelimit')) return headers;
  const { reset_us } = quota;
  return {
    ...headers,
    'x-ratelimit-reset': String(Math.ceil((now_ms + reset_us / 1000) / 1000)),
    'x-ratelimit-reset-after': (Math.ceil(reset_us / 1000) / 1000).toFixed(3),
  };
}

export function headerList(
  headers: Readonly<Record<string, string>>,
): { readonly key: string; readonly value: string }[] {
  return Object.entries(headers).map(([key, value]) => ({ key, value }));
}

function xRatelimit({ limit, remaining, reset_us }: Quota): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds(reset_us)),
  };
}

/** Structured fields (RFC 9651): each is a list of one item, a string with parameters. */
function ietf({ policy, limit, window_us, remaining, next_us }: Quota): Record<string, string> {
  const name = structuredString(policy);
  const wait = next_us === 0 ? '' : `;t=${seconds(next_us)}`;
  return {
    'ratelimit-policy': `${name};q=${limit};w=${seconds(window_us)}`,
    ratelimit: `${name};r=${remaining}${wait}`,
  };
}

/** Strings of structured fields are printable ASCII. */
function structuredString(text: string): string {
  const ascii = text.replace(/[^\x20-\x7e]+/gu, (others) => encodeURIComponent(others.toWellFormed()));
  return `"${ascii.replace(/["\\]/g, '\\$&')}"`;
}

function nextAfter({ rule, level, empty_after_us }: BucketState, remaining: number): number {
  if (rule.kind !== 'leaky_bucket') return empty_after_us;
  const excess = level + (remaining + 1) * rule.token - rule.capacity;
  return excess <= 0 || level === 0 ? 0 : Math.ceil(excess / rule.limit) * rule.tick_us;
}

function seconds(us: number): number {
  return Math.ceil(us / 1_000_000);
}
