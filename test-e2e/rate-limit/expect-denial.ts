import { createHash } from 'node:crypto';
import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { expect } from 'vitest';
import type { Reply } from '../support/api.ts';
import type { ErrorBody } from '../support/objects.ts';
import { limitHeaders } from '../support/response-rules.ts';

const DECIMALS = /^\d+(\.\d{1,3})?$/;

/**
 * Expects every header and member of a bucket's denial (docs/rate-limits.md#denials). Returns retry_after in seconds.
 */
export function expectBucketDenial(reply: Reply, bucket: BucketName): number {
  const { limit, window_seconds } = BUCKETS[bucket];
  const now = Date.now() / 1000;
  const retryAfter = expectDenial(reply, false);
  const header = (name: string) => reply.headers.get(name) ?? '';
  expect(limitHeaders(reply)).toEqual([
    'retry-after',
    'x-ratelimit-scope',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-reset-after',
    'x-ratelimit-bucket',
  ]);
  expect(header('x-ratelimit-scope')).toBe('user');
  expect(header('x-ratelimit-bucket'), bucket).toBe(
    createHash('sha256').update(bucket).digest('hex').slice(0, 16),
  );
  expect(header('x-ratelimit-limit')).toBe(String(limit));
  expect(header('x-ratelimit-remaining')).toBe('0');
  expect(header('x-ratelimit-reset-after'), 'fractional seconds').toMatch(DECIMALS);
  const resetAfter = Number(header('x-ratelimit-reset-after'));
  expect(resetAfter, 'until empty is at least until one more fits').toBeGreaterThanOrEqual(retryAfter);
  expect(resetAfter, 'a bucket is at most full').toBeLessThanOrEqual(window_seconds + 0.001);
  expect(resetAfter, 'a denying bucket is nearly full').toBeGreaterThan(
    window_seconds * (1 - 1 / limit) - 0.001,
  );
  expect(retryAfter, 'one more fits after one drain').toBeLessThanOrEqual(window_seconds / limit + 0.001);
  expect(header('x-ratelimit-reset'), 'whole Unix seconds').toMatch(/^\d{10}$/);
  const reset = Number(header('x-ratelimit-reset'));
  // The time of the response, independent of the test's delay.
  const writtenAt = Date.parse(header('date')) / 1000;
  expect(reset, 'rounded up').toBeGreaterThanOrEqual(Math.floor(writtenAt + resetAfter));
  expect(reset).toBeLessThanOrEqual(Math.ceil(now + resetAfter));
  return retryAfter;
}

/** Expects every header and member of the global bucket's denial. Returns retry_after in seconds. */
export function expectGlobalDenial(reply: Reply): number {
  const retryAfter = expectDenial(reply, true);
  expect(limitHeaders(reply)).toEqual(['retry-after', 'x-ratelimit-scope', 'x-ratelimit-global']);
  expect(reply.headers.get('x-ratelimit-scope')).toBe('global');
  expect(reply.headers.get('x-ratelimit-global')).toBe('true');
  expect(retryAfter, '50 a second').toBeLessThanOrEqual(0.021);
  return retryAfter;
}

export function isGlobalDenial(reply: Reply): boolean {
  return reply.status === 429 && reply.headers.get('x-ratelimit-scope') === 'global';
}

export function isBucketDenial(reply: Reply): boolean {
  return reply.status === 429 && reply.headers.get('x-ratelimit-scope') === 'user';
}

function expectDenial(reply: Reply, global: boolean): number {
  expect(reply.status, reply.text).toBe(429);
  const body = reply.json<Required<ErrorBody>>();
  expect(body).toEqual({
    error: '429 Too Many Requests',
    code: 'RATE_LIMITED',
    message: expect.any(String),
    global,
    retry_after: expect.any(Number),
  });
  expect(body.retry_after).toBeGreaterThanOrEqual(0.001);
  expect(String(body.retry_after), 'three decimals').toMatch(DECIMALS);
  const seconds = reply.headers.get('retry-after') ?? '';
  expect(seconds).toBe(String(Math.max(1, Math.ceil(body.retry_after))));
  expect(body.message.match(/\d+/g), 'the message names the whole seconds').toContain(seconds);
  return body.retry_after;
}
