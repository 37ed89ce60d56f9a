import { STATUS_CODES } from 'node:http';
import { expect } from 'vitest';
import type { Answer } from './http.ts';

/** The headers of a denial, in the order of docs/rate-limits.md#headers. */
export const LIMIT_HEADERS = [
  'retry-after',
  'x-ratelimit-scope',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-bucket',
];

/** The properties of every answer of the edge (docs/conventions.md#responses). */
export function expectEveryAnswer(answer: Answer, what: string): void {
  const { status, headers, text } = answer;
  expect(headers.get('x-request-id'), `${what}: X-Request-Id`).toMatch(/^[\x20-\x7e]{1,128}$/);
  expect(headers.get('x-content-type-options'), `${what}: nosniff`).toBe('nosniff');
  expect(headers.get('cache-control'), `${what}: Cache-Control`).toBe('no-store');
  expect(headers.get('access-control-allow-origin'), `${what}: CORS`).toBe('*');
  expect(headers.get('access-control-allow-credentials'), `${what}: CORS`).toBeNull();
  expect(exposed(answer), `${what}: exposed headers`).toEqual([...LIMIT_HEADERS, 'x-request-id']);
  expect(headers.get('www-authenticate'), `${what}: WWW-Authenticate`).toBeNull();
  if (status !== 429) {
    const ofLimits = LIMIT_HEADERS.filter((name) => name !== 'retry-after' && headers.has(name));
    expect(ofLimits, `${what}: rate-limit headers come on 429 only`).toEqual([]);
  }
  if (status >= 400 && text !== '') expectErrorForm(answer, what);
}

export function exposed({ headers }: Answer): string[] {
  return (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
}

/** An error has the form of docs/errors.md#error-response, except a probe's 503. */
function expectErrorForm({ status, headers, text }: Answer, what: string): void {
  expect(headers.get('content-type'), what).toBe('application/json');
  const body = JSON.parse(text) as Record<string, unknown>;
  if ('ready' in body) return;
  expect(body.error, what).toBe(`${status} ${STATUS_CODES[status] ?? 'Client Closed Request'}`);
  if (status === 429) expect(headers.get('retry-after'), `${what}: Retry-After`).toMatch(/^[1-9]\d*$/);
  expect(body.code, what).toMatch(/^[A-Z][A-Z0-9_]+$/);
  expect(body.message, what).toMatch(/\S/);
}
