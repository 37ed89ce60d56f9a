import type { TokenForm } from '../clients/token-form.ts';
import type { Deps } from '../deps.ts';
import type { Issued, StoredPair } from '../store/exchange-grants.ts';

/** A request for tokens by a client that has proved who it is. */
export interface GrantRequest {
  readonly application_id: string;
  readonly form: TokenForm;
  /** The pair that is to be issued. */
  readonly pair: StoredPair;
}

/**
 * Exchanges what a client holds for a pair of tokens.
 *
 * @throws INVALID_GRANT; then nothing is consumed that could still be exchanged
 */
export type Grant = (deps: Deps, request: GrantRequest) => Promise<Issued>;
