/** An entry of `errors` in an error response. */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An error response of the API, or a failed request. */
export class ApiError extends Error {
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldError[];
  /** The whole body of the response. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body.message === 'string' ? body.message : 'The server could not be reached.');
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : 'UNREACHABLE';
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldError[]) : [];
    this.body = body;
  }
}
