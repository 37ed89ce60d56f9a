import { databaseFault } from '@gatehouse/kit/db/errors';
import { Fault, internal, invalidForm, type JsonValue, Status } from '@gatehouse/kit/fault';
import { httpStatusOf } from '@gatehouse/kit/http-status';
import { badRequest, databaseAway, fault } from '../errors.ts';

/** An error response. */
export interface HttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, JsonValue>>;
}

/**
 * Turns any thrown value into an error response. Anything but a Fault, an outage of the database and Fastify's errors
 * becomes a 500.
 */
export function httpError(thrown: unknown): HttpError {
  const error = thrown instanceof Fault ? thrown : faultOf(thrown);
  const status = httpStatusOf(error) ?? STATUS_OF_INTERNAL[error.status];
  if (status === undefined) return httpError(internal(error));
  const errors = error.violations.map((violation) => ({ ...violation }));
  return {
    status,
    headers: headersOf(error, status),
    body: {
      code: error.reason,
      message: error.message,
      ...error.members,
      ...(errors.length > 0 && { errors }),
    },
  };
}

/** Errors that clients of the public API never see: operators may, since they send what services check. */
const STATUS_OF_INTERNAL: Readonly<Partial<Record<Status, number>>> = {
  [Status.INVALID_ARGUMENT]: 400,
  [Status.FAILED_PRECONDITION]: 400,
  [Status.OUT_OF_RANGE]: 400,
  [Status.NOT_FOUND]: 404,
  [Status.RESOURCE_EXHAUSTED]: 429,
};

/** Errors of the database, and Fastify's own, about the request. */
function faultOf(thrown: unknown): Fault {
  if (databaseFault(thrown) !== undefined) return databaseAway(thrown);
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : undefined;
  if (status === 413) return fault('PAYLOAD_TOO_LARGE', { message: 'The body is longer than 64 KiB.' });
  if (status === 415) return badRequest('The body must be application/json.');
  // 414: a part of the path is longer than any ID.
  if (status === 404 || status === 414) return fault('NOT_FOUND');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return invalidForm([{ path: '', code: 'INVALID_FORMAT', message: 'The request is not well-formed.' }]);
  return internal(thrown);
}

function headersOf(error: Fault, status: number): Readonly<Record<string, string>> {
  const { retry_after } = error.members;
  if (typeof retry_after === 'number') return { 'retry-after': String(Math.max(1, Math.ceil(retry_after))) };
  return status === 503 || status === 429 ? { 'retry-after': '1' } : {};
}
