import type { Denial } from '@gatehouse/proto/ratelimit';
import { tooManyRequests } from '@gatehouse/ratelimit-client/denials/too-many-requests';
import { RateLimited } from '../http/http-error.ts';

/** The 429 of a denial (docs/rate-limits.md#denials). */
export function rateLimited(denial: Denial): RateLimited {
  const { headers, members } = tooManyRequests(denial, Date.now());
  const { message, global, retry_after } = members;
  return withoutStack(() => new RateLimited(message, { global, retry_after }, headers));
}

/** A denial has no stack: it would be most of a denial's cost in a flood, and the log does not need it. */
function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
