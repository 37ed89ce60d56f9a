import type { HttpAnswer } from '../http/http-call.ts';

/** What a 429 says about the limit that denied the request. */
export interface Denial {
  readonly global: boolean;
  /** X-RateLimit-Bucket; undefined for the global bucket, and for a limit that is no bucket. */
  readonly bucket: string | undefined;
  /** X-RateLimit-Scope; undefined if the answer is a proxy's. */
  readonly scope: string | undefined;
  /** Seconds until one more request fits. */
  readonly retryAfter: number;
  /** Seconds in which the bucket drains by one request. */
  readonly interval: number;
  /** Seconds after which the bucket is empty. */
  readonly resetAfter: number;
}

/** The global bucket admits 50 requests per second. */
const GLOBAL_INTERVAL = 0.02;
/** If a 429 names no wait. */
const DEFAULT_WAIT = 1;

/** Reads a 429, also of a proxy that knows only Retry-After. */
export function denialOf({ headers }: HttpAnswer, members: Readonly<Record<string, unknown>>): Denial {
  const retryAfter = positive(members.retry_after) ?? retryAfterOf(headers) ?? DEFAULT_WAIT;
  const global = members.global === true || headers.get('x-ratelimit-global') === 'true';
  const resetAfter = Math.max(positive(headers.get('x-ratelimit-reset-after')) ?? 0, retryAfter);
  return {
    global,
    bucket: headers.get('x-ratelimit-bucket') ?? undefined,
    scope: headers.get('x-ratelimit-scope') ?? undefined,
    retryAfter,
    interval: global ? GLOBAL_INTERVAL : intervalOf(headers, retryAfter, resetAfter),
    resetAfter,
  };
}

/** A full bucket is empty when all but the request that fits after retryAfter have drained. */
function intervalOf(headers: Headers, retryAfter: number, resetAfter: number): number {
  const limit = positive(headers.get('x-ratelimit-limit'));
  if (limit === undefined) return Math.min(retryAfter, DEFAULT_WAIT);
  return limit > 1 ? (resetAfter - retryAfter) / (limit - 1) : resetAfter;
}

/** Seconds of a Retry-After header, which may be a number or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(seconds, 0);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max((date - Date.now()) / 1000, 0);
}

function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
}
