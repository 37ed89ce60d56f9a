import type { Denial } from '@gatehouse/proto/ratelimit';
import { tooManyRequests } from '@gatehouse/ratelimit-client/denials/too-many-requests';
import { RateLimited } from '../http/http-error.ts';

/** The 429 of a denial (docs/rate-limits.md#denials). */
export function rateLimited(denial: Denial): RateLimited {
  const { headers, members } = tooManyRequests(denial, Date.now());
  const { message, global, retry_after } = members;
  return withoutStack(() => new RateLimited(message, { global, retry_after }, headers));
}

/** Nobody reads the stack of a denial, and in a flood of denials it is most of their cost. */
function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
