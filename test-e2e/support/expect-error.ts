import { expect } from 'vitest';
import type { Reply } from './api.ts';
import type { ErrorBody } from './objects.ts';

/** Expected `errors`: code by path. */
export type Entries = Record<string, string>;

/** Codes whose responses may have `errors` (docs/errors.md#error-codes). */
const WITH_ERRORS = [
  'INVALID_FORM_BODY',
  'BAD_REQUEST',
  'CANNOT_SEND_EMPTY_MESSAGE',
  'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER',
];

/**
 * Expects an error with this status and code. `errors` must equal `entries`; without `entries`, only validation
 * errors may have `errors`.
 */
export function expectError(reply: Reply, status: number, code: string, entries?: Entries): ErrorBody {
  const body = reply.text === '' ? undefined : reply.json<ErrorBody>();
  expect({ status: reply.status, code: body?.code }, reply.text).toEqual({ status, code });
  if (body === undefined) throw new Error('an error without a body');
  const found = body.errors?.map(({ path, code }) => [path, code]);
  if (entries !== undefined) {
    expect(Object.fromEntries(found ?? []), reply.text).toEqual(entries);
    expect(found?.length, 'one entry per failure').toBe(Object.keys(entries).length);
  } else if (!WITH_ERRORS.includes(code)) {
    expect(body.errors, 'errors is present on validation errors only').toBeUndefined();
  }
  return body;
}

/** Expects the error for a body that is not a JSON object. */
export function expectNotJson(reply: Reply): void {
  expectError(reply, 400, 'INVALID_FORM_BODY', { body: 'INVALID_FORMAT' });
}
