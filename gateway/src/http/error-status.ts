import { type Fault, Status } from '@gatehouse/kit/fault';

/**
 * The HTTP status of an error: by its code, otherwise by its gRPC status. Undefined for errors that no client may
 * see: unexpected failures, and a wrong call between our processes.
 */
export function httpStatusOf({ reason, status }: Fault): number | undefined {
  return STATUS_OF_CODE.get(reason) ?? (MISTAKES_OF_CALLERS.has(reason) ? undefined : STATUS_OF_GRPC[status]);
}

/** By error code (docs/errors.md#error-codes), if it differs from the status of the gRPC status. */
const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ['SLOWMODE_RATE_LIMITED', 400],
  ['REQUEST_TIMEOUT', 408],
  ['PAYLOAD_TOO_LARGE', 413],
  ['UNSUPPORTED_MEDIA_TYPE', 415],
  ['UPGRADE_REQUIRED', 426],
  ['REQUEST_HEADER_FIELDS_TOO_LARGE', 431],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/** By gRPC status, with the mapping of google/rpc/code.proto. */
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

/** Ratelimit's codes for a request that no correct caller makes. The client is not to blame for them. */
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
