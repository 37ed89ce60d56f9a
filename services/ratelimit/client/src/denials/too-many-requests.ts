import { hash } from 'node:crypto';
import type { Denial } from '@gatehouse/proto/ratelimit';

/** Headers and body of a 429 response. */
export interface TooManyRequests {
  readonly headers: Readonly<Record<string, string>>;
  /** The members of the body, in order. */
  readonly members: {
    readonly error: '429 Too Many Requests';
    readonly code: 'RATE_LIMITED';
    readonly message: string;
    readonly global: boolean;
    readonly retry_after: number;
  };
}

/** The 429 of a denial (docs/rate-limits.md#denials). All its times are rounded up. */
export function tooManyRequests(denial: Denial, now_ms: number): TooManyRequests {
  const global = denial.bucket === 'global';
  const retry_after = Math.max(Math.ceil(denial.retry_after_us / 1000), 1) / 1000;
  const seconds = Math.ceil(retry_after);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  const message = `You are being rate limited. Try again in ${wait}.`;
  return {
    headers: global ? globalHeaders(seconds) : bucketHeaders(denial, seconds, now_ms),
    members: { error: '429 Too Many Requests', code: 'RATE_LIMITED', message, global, retry_after },
  };
}

function globalHeaders(seconds: number): Record<string, string> {
  return {
    'retry-after': String(seconds),
    'x-ratelimit-scope': 'global',
    'x-ratelimit-global': 'true',
  };
}

function bucketHeaders({ bucket, limit, empty_after_us }: Denial, seconds: number, now_ms: number) {
  return {
    'retry-after': String(seconds),
    'x-ratelimit-scope': 'user',
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil((now_ms + empty_after_us / 1000) / 1000)),
    'x-ratelimit-reset-after': (Math.ceil(empty_after_us / 1000) / 1000).toFixed(3),
    'x-ratelimit-bucket': bucketId(bucket),
  };
}

const bucketIds = new Map<string, string>();

/** docs/rate-limits.md#bucket-identifiers */
function bucketId(name: string): string {
  let id = bucketIds.get(name);
  if (id === undefined) {
    id = hash('sha256', name, 'hex').slice(0, 16);
    bucketIds.set(name, id);
  }
  return id;
}
