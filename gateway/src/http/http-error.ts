import { STATUS_CODES } from 'node:http';
import { Fault, faultsOf, internal, type JsonValue, Status } from '@gatehouse/kit/fault';
import { httpStatusOf } from '@gatehouse/kit/http-status';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** An error response. */
export interface HttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The usual reason phrase of 499, which Node does not have. */
const CLIENT_CLOSED_REQUEST = 'Client Closed Request';

/** Turns any thrown value into an error response. Anything but a Fault becomes a 500 without detail. */
export function httpError(thrown: unknown): HttpError {
  const error = thrown instanceof Fault ? thrown : internal(thrown);
  const status = httpStatusOf(error);
  if (status === undefined) return httpError(internal(error));
  const body: Record<string, JsonValue> = {
    error: `${status} ${STATUS_CODES[status] ?? CLIENT_CLOSED_REQUEST}`,
    code: error.reason,
    message: error.message,
    ...error.members,
  };
  if (error.violations.length > 0) body.errors = error.violations.map((violation) => ({ ...violation }));
  return { status, headers: headersOf(error, status), body: JSON.stringify(body) };
}

function headersOf(error: Fault, status: number): Readonly<Record<string, string>> {
  if (error instanceof RateLimited) return error.headers;
  // A service's own limit, such as that of wrong second factors: it has no bucket.
  if (error.reason === 'RATE_LIMITED')
    return { 'retry-after': wholeSeconds(error.members.retry_after), 'x-ratelimit-scope': 'user' };
  if (error.reason === 'SLOWMODE_RATE_LIMITED')
    return { 'retry-after': wholeSeconds(error.members.retry_after) };
  if (status === 503 || status === 429) return { 'retry-after': '1' };
  return {};
}

/** The value of Retry-After for a wait in seconds: rounded up, at least 1. */
function wholeSeconds(wait: JsonValue | undefined): string {
  return String(Math.max(Math.ceil(Number(wait)), 1));
}

/** 429, with its headers (docs/rate-limits.md#headers). */
export class RateLimited extends Fault {
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    message: string,
    members: Record<string, JsonValue>,
    headers: Readonly<Record<string, string>>,
  ) {
    super({ status: Status[ERRORS.RATE_LIMITED.grpc], reason: 'RATE_LIMITED', message, members });
    this.headers = headers;
  }
}

export function notFound(): Fault {
  return fault('NOT_FOUND');
}

export function accessDenied(): Fault {
  return fault('ACCESS_DENIED');
}

/** The access token is live, but lacks a scope that this route needs. */
export function missingScope(required_scope: string): Fault {
  return fault('MISSING_OAUTH_SCOPE', {
    message: `The access token lacks the scope ${required_scope}.`,
    members: { required_scope },
  });
}

export function payloadTooLarge(limitBytes: number): Fault {
  return fault('PAYLOAD_TOO_LARGE', {
    message: `The body is longer than the ${limitBytes} bytes that this route takes.`,
  });
}

/** The edge does not decompress, and a service would read compressed bytes as something else. */
export function unsupportedEncoding(): Fault {
  return fault('UNSUPPORTED_MEDIA_TYPE');
}

/** The body arrived too slowly, or stopped. */
export function slowBody(): Fault {
  return fault('REQUEST_TIMEOUT', { message: 'The body did not arrive in time.' });
}

/** The body came in so many tiny chunks that reading them costs too much. */
export function tinyChunks(): Fault {
  return fault('BAD_REQUEST', { message: 'The body is cut into too many chunks. Send it in longer ones.' });
}

/** The client closed the connection before its body was complete. Only the log shows this. */
export function clientGone(): Fault {
  return fault('CLIENT_CLOSED_REQUEST');
}
