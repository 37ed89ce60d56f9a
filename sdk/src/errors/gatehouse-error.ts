/** Marks the errors of every copy of this package, so that isGatehouseError knows those of another copy too. */
const MARK = Symbol.for('@gatehouse/sdk/error');

/** The base of all errors that this package throws. */
export class GatehouseError extends Error {
  override readonly name: string = 'GatehouseError';
  readonly [MARK] = true;
}

export function isGatehouseError(value: unknown): value is GatehouseError {
  return value instanceof Error && MARK in value;
}

/** The request or its answer was lost on the way. The server may have executed the request. */
export class NetworkError extends GatehouseError {
  override readonly name = 'NetworkError';

  /** Some runtimes put the URL into their error. It can be a webhook's, which is secret: then there is no cause. */
  constructor(operation: string, cause: unknown, url: string) {
    super(
      `${operation}: ${describeCause(cause).replaceAll(url, operation)}`,
      hasText(cause, url) ? {} : { cause },
    );
  }
}

/** A try took longer than `timeoutSeconds`, or the call longer than `deadlineSeconds`. */
export class TimeoutError extends GatehouseError {
  override readonly name = 'TimeoutError';

  constructor(operation: string, limit: string, seconds: number) {
    super(`${operation}: no answer within ${limit} of ${seconds} s`);
  }
}

/** The answer does not come from the API: an HTML page of a proxy, a redirect, a body that is too long. */
export class UnexpectedResponseError extends GatehouseError {
  override readonly name = 'UnexpectedResponseError';
  /** 0 where a browser hides it. */
  readonly status: number;
  readonly contentType: string | undefined;
  readonly requestId: string | undefined;

  constructor(operation: string, status: number, headers: Headers, problem: string) {
    super(`${operation}: ${problem}`);
    this.status = status;
    this.contentType = headers.get('content-type') ?? undefined;
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

/** fetch says only "fetch failed", and has the reason in its cause. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the connection failed';
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}

/** Whether a log of the error would show the text. */
function hasText(error: unknown, text: string): boolean {
  if (!(error instanceof Error)) return typeof error === 'string' && error.includes(text);
  return Object.getOwnPropertyNames(error).some((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value.includes(text) : name === 'cause' && hasText(value, text);
  });
}
