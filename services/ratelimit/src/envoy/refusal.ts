import { hash } from 'node:crypto';
import type { Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';

export interface Refusal {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** A 429 as the edge sends it: every time is rounded up (docs/rate-limits.md#rounding). */
export function refusal({ rule, retry_after_us, empty_after_us }: Denial, now_ms: number): Refusal {
  const isGlobal = rule.name === 'global';
  const retry_after = Math.max(Math.ceil(retry_after_us / 1000), 1) / 1000;
  const seconds = Math.ceil(retry_after);
  const body = {
    error: '429 Too Many Requests',
    code: 'RATE_LIMITED',
    message: `You are being rate limited. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
    global: isGlobal,
    retry_after,
  };
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': String(seconds),
    'x-ratelimit-scope': isGlobal ? 'global' : 'user',
  };
  const own = isGlobal
    ? { 'x-ratelimit-global': 'true' }
    : {
        'x-ratelimit-limit': String(rule.limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil((now_ms + empty_after_us / 1000) / 1000)),
        'x-ratelimit-reset-after': (Math.ceil(empty_after_us / 1000) / 1000).toFixed(3),
        'x-ratelimit-bucket': hash('sha256', rule.name, 'hex').slice(0, 16),
      };
  return { headers: { ...headers, ...own }, body: JSON.stringify(body) };
}
