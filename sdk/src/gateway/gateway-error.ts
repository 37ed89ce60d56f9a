import { GatehouseError } from '../errors/gatehouse-error.ts';

/** The Gateway client has stopped, since it cannot continue by itself. */
export class GatewayError extends GatehouseError {
  override readonly name: string = 'GatewayError';
}

/** The server closed the connection for a reason that a further attempt would meet again. */
export class GatewayClosedError extends GatewayError {
  override readonly name = 'GatewayClosedError';
  /** The close code: 4004 means an invalid or revoked token. */
  readonly code: number;

  constructor(code: number, meaning: string) {
    super(`the Gateway closed the connection: ${code} ${meaning}`);
    this.code = code;
  }
}

/** `maxAttempts` connections in succession did not last. */
export class GatewayUnreachableError extends GatewayError {
  override readonly name = 'GatewayUnreachableError';
  readonly attempts: number;

  constructor(attempts: number, last: string) {
    super(`the Gateway was not reached in ${attempts} attempts; the last: ${last}`);
    this.attempts = attempts;
  }
}
