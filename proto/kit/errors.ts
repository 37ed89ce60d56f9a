/** The name of a gRPC status (https://grpc.io/docs/guides/status-codes). */
type GrpcStatus =
  | 'CANCELLED'
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'OUT_OF_RANGE'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

/** A member of an error response beside `error`, `code` and `message`. */
export interface ErrorMember {
  /** JSON Schema. `$ref` names a component of the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** False for a member that only some errors of the code have. */
  readonly required: boolean;
  readonly description: string;
}

/** An error of the catalogue, by its code. */
export interface ErrorRow {
  readonly grpc: GrpcStatus;
  /**
   * The HTTP status, if it differs from that of the gRPC status. Null for an error that only services get: instead of it
   * the edge would answer 500.
   */
  readonly http?: number | null;
  /** Its public text, unless the fault brings a text of its own. Without it each fault brings one. */
  readonly message?: string;
  /** For docs/errors.md. Without it the error is not documented, because no client reads it. */
  readonly when?: string;
  /** Further members of the error response, by name. */
  readonly members_schema?: Readonly<Record<string, ErrorMember>>;
}

/** The member `errors` of codes that always have it. */
export const VIOLATIONS = {
  schema: { type: 'array', items: { $ref: '#/components/schemas/Violation' }, minItems: 1 },
  required: true,
  description: 'The failures: one entry for each.',
} as const satisfies ErrorMember;

/** The errors of the kit, which every service may use. */
export const KIT_ERRORS = {
  BAD_REQUEST: {
    grpc: 'INVALID_ARGUMENT',
    when: 'the request cannot be carried out as it is',
  },
  INVALID_FORM_BODY: {
    grpc: 'INVALID_ARGUMENT',
    message: 'Invalid form body.',
    when: 'a parameter or the body has the wrong form',
    members_schema: { errors: VIOLATIONS },
  },
  UNAUTHORIZED: {
    grpc: 'UNAUTHENTICATED',
    message: 'A valid credential is required.',
    when: 'the credential is missing, malformed, unknown, expired or revoked',
  },
  INTERNAL_SERVER_ERROR: {
    grpc: 'INTERNAL',
    http: 500,
    message: 'Something went wrong on our side.',
    when: 'an unexpected failure; the response has no detail',
  },
  SERVICE_UNAVAILABLE: {
    grpc: 'UNAVAILABLE',
    message: 'The service is unavailable. Try again shortly.',
    when: 'a part of the service is down or overloaded; `Retry-After: 1`',
  },
  GATEWAY_TIMEOUT: {
    grpc: 'DEADLINE_EXCEEDED',
    message: 'The service did not answer in time.',
    when: 'a part of the service is too slow or does not answer',
  },
  CANCELLED: { grpc: 'CANCELLED', message: 'The caller has gone.' },
  UNKNOWN_JOB: { grpc: 'NOT_FOUND', message: 'There is no such job.' },
  CURSOR_TOO_OLD: {
    grpc: 'OUT_OF_RANGE',
    http: null,
    message: 'Events after this cursor have left the log, or it is from another database.',
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;
