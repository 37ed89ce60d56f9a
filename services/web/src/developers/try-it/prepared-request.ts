import type { Scope } from '../../shared/scopes.ts';
import type { PkcePair } from '../authorization/pkce.ts';

/** An authorization request that is ready to be sent. */
export interface PreparedRequest extends PkcePair {
  readonly client_id: string;
  /** Empty for a public client. */
  readonly client_secret: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Empty if the flow ends at consent. */
  readonly redirect_uri: string;
  readonly state: string;
}
