import { ERRORS, type ErrorRow } from '@gatehouse/proto/errors';
import { type Fault, Status } from './fault.ts';

/**
 * The HTTP status of an error: by its row in the catalogue (proto/errors.ts), otherwise by its gRPC status. Undefined for
 * unexpected failures and for errors that only services get: no client may see them.
 */
export function httpStatusOf({ reason, status }: Pick<Fault, 'reason' | 'status'>): number | undefined {
  const http = ROWS.get(reason)?.http;
  return http === undefined ? STATUS_OF_GRPC[status] : (http ?? undefined);
}

const ROWS: ReadonlyMap<string, ErrorRow> = new Map(Object.entries(ERRORS));

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
