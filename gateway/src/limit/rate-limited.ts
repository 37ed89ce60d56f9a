import { createHash } from 'node:crypto';
import type { Denial } from '@gatehouse/proto/ratelimit';
import { RateLimited } from '../http-error.ts';

/** The 429 of a denial (docs/rate-limits.md#denials). Every time in it is rounded up. */
export function rateLimited({ bucket, limit, retry_after_us, empty_after_us }: Denial): RateLimited {
  const isGlobal = bucket === 'global';
  const retryAfter = Math.max(Math.ceil(retry_after_us / 1000), 1) / 1000;
  const seconds = Math.ceil(retryAfter);
  const headers: Record<string, string> = {
    'retry-after': String(seconds),
    'x-ratelimit-scope': isGlobal ? 'global' : 'user',
  };
  if (isGlobal) {
    headers['x-ratelimit-global'] = 'true';
  } else {
    headers['x-ratelimit-limit'] = String(limit);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = String(Math.ceil((Date.now() + empty_after_us / 1000) / 1000));
    headers['x-ratelimit-reset-after'] = (Math.ceil(empty_after_us / 1000) / 1000).toFixed(3);
    headers['x-ratelimit-bucket'] = bucketId(bucket);
  }
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  const message = `You are being rate limited. Try again in ${wait}.`;
  return withoutStack(() => new RateLimited(message, { global: isGlobal, retry_after: retryAfter }, headers));
}

/** Nobody reads where a denial was made, and in a flood of them the stack is most of what they cost. */
function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

const bucketIds = new Map<string, string>();

/** The first 16 hexadecimal digits of SHA-256 of the bucket's name. */
function bucketId(name: string): string {
  let id = bucketIds.get(name);
  if (id === undefined) {
    id = createHash('sha256').update(name).digest('hex').slice(0, 16);
    bucketIds.set(name, id);
  }
  return id;
}
