import type { ClientCredentials } from '../clients/client-credentials.ts';
import type { TokenForm } from '../clients/token-form.ts';
import type { StoredPair } from '../store/exchange-grants.ts';

/** The values of grant_type. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** A token request. Its client is not authenticated yet. */
export interface GrantRequest {
  readonly credentials: ClientCredentials;
  readonly form: TokenForm;
  /** The pair to be issued. */
  readonly pair: StoredPair;
}
