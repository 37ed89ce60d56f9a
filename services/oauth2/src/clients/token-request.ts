import type { Deps } from '../deps.ts';
import { invalidRequest } from '../errors.ts';
import { authenticateClient } from './authenticate-client.ts';
import { clientCredentials } from './client-credentials.ts';
import { readTokenForm, type TokenForm } from './token-form.ts';

/** A request about a token, as it arrived. */
interface TokenRequest {
  readonly authorization?: string | null | undefined;
  readonly content_type?: string | null | undefined;
  readonly body: Uint8Array;
}

/**
 * Reads a request about a token by an application.
 *
 * @throws those of the form and of client authentication; INVALID_REQUEST without a token
 */
export async function openTokenRequest(
  deps: Pick<Deps, 'findClient'>,
  { authorization, content_type, body }: TokenRequest,
): Promise<{ readonly application_id: string; readonly form: TokenForm; readonly token: string }> {
  const form = readTokenForm(content_type, body);
  const application_id = await authenticateClient(deps, clientCredentials(form, authorization));
  const token = form.get('token');
  if (token === undefined) throw invalidRequest('The parameter token is missing.');
  return { application_id, form, token };
}
