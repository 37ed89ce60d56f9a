import { BadRequest, ErrorInfo } from '@gatehouse/proto/google/rpc/error-details';
import { Status as RpcStatus } from '@gatehouse/proto/google/rpc/status';
import { status as grpcStatus, type ServiceError } from '@grpc/grpc-js';

/** The name of a gRPC status (https://grpc.io/docs/guides/status-codes). */
export type StatusName = keyof typeof grpcStatus;

/** One violation in a request: its path (members joined by dots), a code, and a text for people. */
export interface Violation {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An error of ratelimit, or of the connection to it. */
export class RateLimitError extends Error {
  readonly status: StatusName;
  /** A code for programs, such as UNKNOWN_BUCKET; empty if ratelimit did not send one. */
  readonly reason: string;
  readonly violations: readonly Violation[];

  constructor(
    status: StatusName,
    message: string,
    {
      reason = '',
      violations = [],
      cause,
    }: { reason?: string; violations?: readonly Violation[]; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RateLimitError';
    this.status = status;
    this.reason = reason;
    this.violations = violations;
  }
}

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

/** Reads an error that ratelimit sent. */
export function errorOfStatus({ code, message, details }: RpcStatus, cause?: unknown): RateLimitError {
  const info = details.find(({ type_url }) => type_url === ERROR_INFO);
  const bad = details.find(({ type_url }) => type_url === BAD_REQUEST);
  const violations = bad === undefined ? [] : BadRequest.decode(bad.value).field_violations;
  return new RateLimitError(nameOf(code), message, {
    ...(info && { reason: ErrorInfo.decode(info.value).reason }),
    violations: violations.map(({ field, reason, description }) => ({
      path: field,
      code: reason,
      message: description,
    })),
    cause,
  });
}

/** Reads the error of a call. Without details by ratelimit, only the status and the text are known. */
export function errorOfCall(error: ServiceError): RateLimitError {
  const [details] = error.metadata.get('grpc-status-details-bin');
  try {
    if (typeof details === 'object') return errorOfStatus(RpcStatus.decode(details), error);
  } catch {
    // Details in another form, which a proxy may have added.
  }
  return new RateLimitError(nameOf(error.code), error.details, { cause: error });
}

function nameOf(code: number): StatusName {
  const name = grpcStatus[code] as StatusName | undefined;
  return name ?? 'UNKNOWN';
}
