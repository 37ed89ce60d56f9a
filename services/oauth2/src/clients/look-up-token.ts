import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidRequest } from '../errors.ts';
import type { Token } from '../store/find-tokens.ts';
import { claimedClientId, verifyClient } from './authenticate-client.ts';
import { clientCredentials } from './client-credentials.ts';
import { readTokenForm, type TokenForm } from './token-form.ts';

/** A request for introspection or revocation. */
interface TokenLookupRequest {
  readonly authorization?: string | null | undefined;
  readonly content_type?: string | null | undefined;
  readonly body: Uint8Array;
}

interface TokenLookup {
  readonly application_id: string;
  /** Whether the application is a public client, which anybody can claim to be. */
  readonly isPublic: boolean;
  readonly form: TokenForm;
  /** Undefined if the token is unknown or not live. */
  readonly token: Token | undefined;
}

/**
 * Authenticates the client of an introspection or revocation, and looks up its token. One statement finds both; the client
 * is checked first.
 *
 * @throws the errors of the form and of client authentication; INVALID_REQUEST without a token
 */
export async function lookUpToken(
  deps: Pick<Deps, 'batched' | 'secretUses'>,
  { authorization, content_type, body }: TokenLookupRequest,
): Promise<TokenLookup> {
  const form = readTokenForm(content_type, body);
  const credentials = clientCredentials(form, authorization);
  const secret = form.get('token');
  const { client, token } = await deps.batched.findToken({
    client_id: claimedClientId(credentials),
    token_hash: credentialHash(secret ?? ''),
  });
  const application_id = verifyClient(deps, client, credentials);
  if (secret === undefined) throw invalidRequest('The parameter token is missing.');
  return { application_id, isPublic: client?.client_secret_hash === null, form, token };
}
