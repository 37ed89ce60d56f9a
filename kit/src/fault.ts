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

/** One failure of a form: where (members joined by dots), a public code, and text for people. */
export interface Violation {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface FaultInit {
  readonly status: Status;
  /** The public error code, such as NOT_FOUND. */
  readonly reason: string;
  /** Public text: it reaches clients as it is. */
  readonly message: string;
  readonly violations?: readonly Violation[];
  /** Further top-level members of the public error. */
  readonly members?: Readonly<Record<string, JsonValue>>;
  /** What happened inside; logged, never sent. */
  readonly cause?: unknown;
}

/**
 * An error that somebody authored: everything in it but `cause` may reach a client. Anything else
 * that is thrown is unexpected and crosses a process border as INTERNAL without detail.
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

/** 400: the body or a parameter breaks its form; one violation a failure. */
export function invalidForm(violations: readonly Violation[]): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'INVALID_FORM_BODY',
    message: 'Invalid form body.',
    violations,
  });
}

/** 401, in the same words whatever is wrong with the credential (docs/errors.md#401-says-no-more). */
export function unauthorized(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'A valid credential is required.',
  });
}

/** 503: something this process needs is down or has no room. */
export function unavailable(cause?: unknown): Fault {
  return new Fault({
    status: Status.UNAVAILABLE,
    reason: 'SERVICE_UNAVAILABLE',
    message: 'The service is unavailable. Try again shortly.',
    cause,
  });
}

/** 504: something this process needs did not answer in time. */
export function deadlineExceeded(cause?: unknown): Fault {
  return new Fault({
    status: Status.DEADLINE_EXCEEDED,
    reason: 'GATEWAY_TIMEOUT',
    message: 'The service did not answer in time.',
    cause,
  });
}

/** Whether whoever was asked is gone or too slow, so that one can decide without them; any other error is a mistake. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof Fault &&
    (error.status === Status.UNAVAILABLE || error.status === Status.DEADLINE_EXCEEDED)
  );
}

/** The caller has gone; nobody reads the answer. */
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
