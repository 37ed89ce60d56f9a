/** gRPC status codes, by name (https://grpc.io/docs/guides/status-codes). */
export const Status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;
export type Status = (typeof Status)[keyof typeof Status];

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** One violation in a form: its path (members joined by dots), a public code, and a text for people. */
export interface Violation {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface FaultInit {
  readonly status: Status;
  /** The public error code, such as NOT_FOUND. */
  readonly reason: string;
  /** Public text, shown to clients as it is. */
  readonly message: string;
  readonly violations?: readonly Violation[];
  /** Further top-level members of the public error. */
  readonly members?: Readonly<Record<string, JsonValue>>;
  /** The internal cause: logged, never sent. */
  readonly cause?: unknown;
}

/**
 * An authored error: everything in it but `cause` may reach a client. Any other thrown value is unexpected, and
 * crosses a process boundary as INTERNAL without details.
 */
export class Fault extends Error {
  readonly status: Status;
  readonly reason: string;
  readonly violations: readonly Violation[];
  readonly members: Readonly<Record<string, JsonValue>>;

  constructor(init: FaultInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'Fault';
    this.status = init.status;
    this.reason = init.reason;
    this.violations = init.violations ?? [];
    this.members = init.members ?? {};
  }
}

/** 400: the body or a parameter is invalid; one violation for each problem. */
export function invalidForm(violations: readonly Violation[]): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'INVALID_FORM_BODY',
    message: 'Invalid form body.',
    violations,
  });
}

/** 401. The text is the same for every problem with a credential (docs/errors.md#401-says-no-more). */
export function unauthorized(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'A valid credential is required.',
  });
}

/** 503: a dependency of this process is down or at capacity. */
export function unavailable(cause?: unknown): Fault {
  return new Fault({
    status: Status.UNAVAILABLE,
    reason: 'SERVICE_UNAVAILABLE',
    message: 'The service is unavailable. Try again shortly.',
    cause,
  });
}

/** 504: a dependency of this process did not answer in time. */
export function deadlineExceeded(cause?: unknown): Fault {
  return new Fault({
    status: Status.DEADLINE_EXCEEDED,
    reason: 'GATEWAY_TIMEOUT',
    message: 'The service did not answer in time.',
    cause,
  });
}

/** Whether the peer is down or too slow, so that the caller may decide without it. Any other error is a bug. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Fault &&
    (error.status === Status.UNAVAILABLE || error.status === Status.DEADLINE_EXCEEDED)
  );
}

/** The caller has cancelled or disconnected. */
export function cancelled(): Fault {
  return new Fault({ status: Status.CANCELLED, reason: 'CANCELLED', message: 'The caller has gone.' });
}

/** 500: unexpected. The cause is for the log. */
export function internal(cause?: unknown): Fault {
  return new Fault({
    status: Status.INTERNAL,
    reason: 'INTERNAL_SERVER_ERROR',
    message: 'Something went wrong on our side.',
    cause,
  });
}
