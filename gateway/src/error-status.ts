import { type Fault, Status } from '@gatehouse/kit/fault';

/**
 * The HTTP status of an error: that of its code, else that of its gRPC status. Undefined for what no client may see:
 * unexpected failures, and mistakes that one of our processes made in calling another.
 */
export function httpStatusOf({ reason, status }: Fault): number | undefined {
  return STATUS_OF_CODE.get(reason) ?? (MISTAKES_OF_CALLERS.has(reason) ? undefined : STATUS_OF_GRPC[status]);
}

/** By error code (docs/errors.md#error-codes, docs/errors.md#oauth2-errors). */
const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map(
  Object.entries({
    BAD_REQUEST: 400,
    INVALID_FORM_BODY: 400,
    CANNOT_SEND_EMPTY_MESSAGE: 400,
    PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER: 400,
    SLOWMODE_RATE_LIMITED: 400,
    INVALID_CLIENT: 400,
    INVALID_REQUEST: 400,
    INVALID_GRANT: 400,
    UNSUPPORTED_GRANT_TYPE: 400,
    INVALID_SCOPE: 400,
    MISSING_REDIRECT_URI: 400,
    INVALID_REDIRECT_URI: 400,
    INVALID_RESPONSE_TYPE_FOR_NON_BOT: 400,
    INVALID_PERMISSIONS_INTEGER: 400,
    INVALID_PERMISSIONS_NEGATIVE: 400,
    NOT_A_BOT_APPLICATION: 400,
    UNAUTHORIZED: 401,
    INVALID_CLIENT_SECRET: 401,
    INVALID_TOKEN: 401,
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
    REQUEST_TIMEOUT: 408,
    BOT_ALREADY_IN_GUILD: 409,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    UPGRADE_REQUIRED: 426,
    RATE_LIMITED: 429,
    REQUEST_HEADER_FIELDS_TOO_LARGE: 431,
    CLIENT_CLOSED_REQUEST: 499,
    INTERNAL_SERVER_ERROR: 500,
    SERVICE_UNAVAILABLE: 503,
    GATEWAY_TIMEOUT: 504,
  }),
);

/** By gRPC status, as google/rpc/code.proto maps them. */
const STATUS_OF_GRPC: Readonly<Record<Status, number | undefined>> = {
  [Status.INVALID_ARGUMENT]: 400,
  [Status.FAILED_PRECONDITION]: 400,
  [Status.OUT_OF_RANGE]: 400,
  [Status.UNAUTHENTICATED]: 401,
  [Status.PERMISSION_DENIED]: 403,
  [Status.NOT_FOUND]: 404,
  [Status.ALREADY_EXISTS]: 409,
  [Status.ABORTED]: 409,
  [Status.RESOURCE_EXHAUSTED]: 429,
  [Status.CANCELLED]: 499,
  [Status.UNIMPLEMENTED]: 501,
  [Status.UNAVAILABLE]: 503,
  [Status.DEADLINE_EXCEEDED]: 504,
  [Status.INTERNAL]: undefined,
  [Status.UNKNOWN]: undefined,
  [Status.DATA_LOSS]: undefined,
  [Status.OK]: undefined,
};

/** Codes of ratelimit for a request that no correct caller makes. The client behind that caller is not to blame. */
export const MISTAKES_OF_CALLERS: ReadonlySet<string> = new Set([
  'TOO_MANY_CHECKS',
  'TOO_MANY_SETS',
  'TOO_MANY_CHARGES',
  'UNKNOWN_BUCKET',
  'WRONG_IDENTITIES',
  'BAD_IDENTITY',
  'BAD_COST',
  'BAD_INTERVAL',
  'BAD_FIELDS',
  'NO_DESCRIPTORS',
  'TOO_MANY_DESCRIPTORS',
  'BAD_DESCRIPTOR',
  'BAD_LIMIT',
]);
