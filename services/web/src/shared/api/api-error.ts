/** One entry of an answer's `errors`. */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An error that the API answered with, or that kept it from answering. */
export class ApiError extends Error {
  /** 0: there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldError[];
  /** The whole body of the answer. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.message === 'string' ? body.message : 'The server could not be reached.');
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : 'UNREACHABLE';
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldError[]) : [];
    this.body = body;
  }
}
