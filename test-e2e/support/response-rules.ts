import { STATUS_CODES } from 'node:http';
import { expect } from 'vitest';
import type { ErrorBody } from './objects.ts';

const LIMIT_HEADERS = [
  'retry-after',
  'x-ratelimit-scope',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-bucket',
];

/** The checked parts of a response. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks the rules for every response of the API (docs/conventions.md#responses). */
export function expectResponseRules(reply: ResponseParts, what: string): void {
  expect(reply.status, `${what}: an unexpected failure: ${reply.text}`).not.toBe(500);
  expect(reply.headers.get('x-request-id'), `${what}: X-Request-Id`).toMatch(/^[\x20-\x7e]{1,128}$/);
  expect(reply.headers.get('x-content-type-options'), `${what}: nosniff`).toBe('nosniff');
  if (reply.status < 400) {
    expect(limitHeaders(reply), `${what}: a success carries no rate-limit header`).toEqual([]);
  } else if (reply.text !== '') {
    expectErrorForm(reply, what);
  }
}

/** Names of the rate-limit headers in a response. */
export function limitHeaders(reply: ResponseParts): string[] {
  return LIMIT_HEADERS.filter((name) => reply.headers.has(name));
}

const KNOWN_MEMBERS = ['error', 'code', 'message', 'errors', 'global', 'retry_after', 'required_scope'];
/** Members of single codes. */
const MEMBERS_OF: Readonly<Record<string, readonly string[]>> = {
  SUDO_MODE_REQUIRED: ['has_mfa', 'methods'],
  IP_AUTHORIZATION_REQUIRED: ['ticket', 'email', 'resend_available_in'],
  BAD_REQUEST: ['resend_available_in'],
};

/** Checks the form of an error (docs/errors.md#error-response). */
export function expectErrorForm(reply: ResponseParts, what: string): void {
  expect(reply.headers.get('content-type'), what).toMatch(/^application\/json(;|$)/);
  const body = JSON.parse(reply.text) as ErrorBody;
  expect(body.error, what).toBe(`${reply.status} ${STATUS_CODES[reply.status]}`);
  expect(body.code, what).toMatch(/^[A-Z][A-Z0-9_]+$/);
  expect(body.message, what).toMatch(/\S/);
  expect(
    Object.keys(body).filter((name) => ![...KNOWN_MEMBERS, ...(MEMBERS_OF[body.code] ?? [])].includes(name)),
    what,
  ).toEqual([]);
  expect(reply.headers.has('www-authenticate'), `${what}: a 401 carries no WWW-Authenticate`).toBe(false);
  for (const entry of body.errors ?? []) {
    expect(Object.keys(entry).sort(), what).toEqual(['code', 'message', 'path']);
  }
}
