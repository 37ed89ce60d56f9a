import { STATUS_CODES } from 'node:http';
import { Fault, internal, type JsonValue, Status } from '@gatehouse/kit/fault';

/** An error as it leaves the edge. */
export interface HttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The one table from public code to HTTP status (docs/errors.md#error-codes). */
const STATUS_OF_REASON: ReadonlyMap<string, number> = new Map(
  Object.entries({
    BAD_REQUEST: 400,
    INVALID_FORM_BODY: 400,
    CANNOT_SEND_EMPTY_MESSAGE: 400,
    PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER: 400,
    SLOWMODE_RATE_LIMITED: 400,
    UNAUTHORIZED: 401,
    ACCESS_DENIED: 403,
    FORBIDDEN: 403,
    MISSING_ACCESS: 403,
    MISSING_PERMISSIONS: 403,
    MISSING_OAUTH_SCOPE: 403,
    SUDO_MODE_REQUIRED: 403,
    IP_AUTHORIZATION_REQUIRED: 403,
    NOT_FOUND: 404,
    UNKNOWN_MESSAGE: 404,
    UNKNOWN_USER: 404,
    UNKNOWN_APPLICATION: 404,
    UNKNOWN_ROLE: 404,
    UNKNOWN_MEMBER: 404,
    UNKNOWN_INVITE: 404,
    BOT_ALREADY_IN_GUILD: 409,
    REQUEST_TIMEOUT: 408,
    PAYLOAD_TOO_LARGE: 413,
    RATE_LIMITED: 429,
    REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
    CLIENT_CLOSED_REQUEST: 499,
    INTERNAL_SERVER_ERROR: 500,
    SERVICE_UNAVAILABLE: 503,
    GATEWAY_TIMEOUT: 504,
  }),
);

/** Whatever was thrown, as an error response. What nobody authored becomes a 500 without detail. */
export function httpError(thrown: unknown): HttpError {
  const fault = thrown instanceof Fault ? thrown : internal(thrown);
  const status = STATUS_OF_REASON.get(fault.reason);
  if (status === undefined) return httpError(internal(fault));
  const body: Record<string, JsonValue> = {
    error: `${status} ${STATUS_CODES[status]}`,
    code: fault.reason,
    message: fault.message,
    ...fault.members,
  };
  if (fault.violations.length > 0) body.errors = fault.violations.map((violation) => ({ ...violation }));
  return { status, headers: headersOf(fault, status), body: JSON.stringify(body) };
}

function headersOf(fault: Fault, status: number): Readonly<Record<string, string>> {
  if (fault instanceof RateLimited) return fault.headers;
  // A service's own: no bucket of the edge's stands behind it.
  if (fault.reason === 'RATE_LIMITED')
    return { 'retry-after': wholeSeconds(fault.members.retry_after), 'x-ratelimit-scope': 'user' };
  if (fault.reason === 'SLOWMODE_RATE_LIMITED')
    return { 'retry-after': wholeSeconds(fault.members.retry_after) };
  if (status === 503) return { 'retry-after': '1' };
  return {};
}

/** Of a wait in seconds: rounded up, at least 1. */
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
    super({ status: Status.RESOURCE_EXHAUSTED, reason: 'RATE_LIMITED', message, members });
    this.headers = headers;
  }
}

export function notFound(): Fault {
  return new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'There is nothing here.' });
}

export function accessDenied(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'ACCESS_DENIED',
    message: 'This kind of credential cannot be used here.',
  });
}

/** The token is live and the operation is for its kind, but it was not granted this. */
export function missingScope(required_scope: string): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'MISSING_OAUTH_SCOPE',
    message: `The access token lacks the scope ${required_scope}.`,
    members: { required_scope },
  });
}

export function payloadTooLarge(limitBytes: number): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'PAYLOAD_TOO_LARGE',
    message: `The body is longer than the ${limitBytes} bytes that this route takes.`,
  });
}

/** The body came too slowly, or not on at all. */
export function slowBody(): Fault {
  return new Fault({
    status: Status.DEADLINE_EXCEEDED,
    reason: 'REQUEST_TIMEOUT',
    message: 'The body did not arrive in time.',
  });
}

/** The body came in so many pieces that they cost more than what is in them. */
export function tinyChunks(): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: 'The body is cut into too many chunks. Send it in longer ones.',
  });
}

/** The client went away while it was still sending: nobody reads this but the log, where it is no failure. */
export function clientGone(): Fault {
  return new Fault({
    status: Status.CANCELLED,
    reason: 'CLIENT_CLOSED_REQUEST',
    message: 'The client closed the connection.',
  });
}
