import { GatehouseError } from '../errors/gatehouse-error.ts';

/** An authorization ended without tokens: the user refused, or the callback is not that of this authorization. */
export class OAuth2Error extends GatehouseError {
  override readonly name = 'OAuth2Error';
  /** The error of the callback, such as `access_denied`; or `state_mismatch`, `invalid_callback`, `invalid_answer`. */
  readonly error: string;

  constructor(error: string, message: string) {
    super(message);
    this.error = error;
  }
}
