import { type ErrorRow, KIT_ERRORS } from '@gatehouse/proto/kit/errors';

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

const STATUS_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(Status).map(([name, code]) => [code, name]),
);

/** The name of a status code. Of a code that gRPC does not define, its number. */
export function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? String(status);
}

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

/** The parts of a fault beside its row. A `status` replaces that of the row. */
type FaultDetails = Partial<Omit<FaultInit, 'reason'>>;
/** The text may be left out if the row has one. */
type DetailsOf<Row extends ErrorRow> = Row extends { readonly message: string }
  ? [details?: FaultDetails]
  : [details: FaultDetails & { readonly message: string }];

/** Makes the function that creates the faults of a catalogue, with the gRPC status of their code. */
export function faultsOf<C extends Readonly<Record<keyof C, ErrorRow>>>(catalogue: C) {
  return <Code extends keyof C & string>(code: Code, ...[details]: DetailsOf<C[Code]>): Fault => {
    const { grpc, message = '' }: ErrorRow = catalogue[code];
    return new Fault({
      status: Status[grpc],
      reason: code,
      ...details,
      message: details?.message ?? message,
    });
  };
}

/** Creates a fault that needs no service. */
export const kitFault = faultsOf(KIT_ERRORS);

/** 400: the body or a parameter is invalid; one violation for each problem. */
export function invalidForm(violations: readonly Violation[]): Fault {
  return kitFault('INVALID_FORM_BODY', { violations });
}

/** 401. The text is the same for every problem with a credential (docs/errors.md#401-says-no-more). */
export function unauthorized(): Fault {
  return kitFault('UNAUTHORIZED');
}

/** 503: a dependency of this process is down or at capacity. */
export function unavailable(cause?: unknown): Fault {
  return kitFault('SERVICE_UNAVAILABLE', { cause });
}

/** 504: a dependency of this process did not answer in time. */
export function deadlineExceeded(cause?: unknown): Fault {
  return kitFault('GATEWAY_TIMEOUT', { cause });
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
  return kitFault('CANCELLED');
}

/** 500: unexpected. The cause is for the log. */
export function internal(cause?: unknown): Fault {
  return kitFault('INTERNAL_SERVER_ERROR', { cause });
}
