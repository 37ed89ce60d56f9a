import type { TokenForm } from '../clients/token-form.ts';
import type { StoredPair } from '../store/exchange-grants.ts';

/** The values of grant_type. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** A token request of an authenticated client. */
export interface GrantRequest {
  readonly application_id: string;
  readonly form: TokenForm;
  /** The pair to be issued. */
  readonly pair: StoredPair;
}
