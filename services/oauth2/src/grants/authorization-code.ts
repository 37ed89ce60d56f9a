import { authenticateClient } from '../clients/authenticate-client.ts';
import { presentedHash } from '../clients/client-credentials.ts';
import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import type { IssuedPair } from '../store/exchange-grants.ts';
import type { Code } from '../store/find-codes.ts';
import type { Challenge } from '../store/insert-code.ts';
import { provesChallenge } from '../tokens/pkce.ts';
import type { GrantRequest } from './grant-request.ts';
import { revokeIfReplayed } from './revoke-if-replayed.ts';

/**
 * Authenticates the client and exchanges a code for a pair of tokens. A failed check of client, redirect URI or PKCE does
 * not consume the code.
 *
 * @throws the errors of client authentication; INVALID_GRANT
 */
export async function exchangeAuthorizationCode(deps: Deps, request: GrantRequest): Promise<IssuedPair> {
  const { credentials, form, pair } = request;
  const application_id = await authenticateClient(deps, credentials);
  const text = form.get('code');
  if (text === undefined) throw invalidGrant();
  const code_hash = credentialHash(text);
  const code = await deps.batched.findCode(code_hash);
  if (code === undefined) {
    await revokeIfReplayed(deps, application_id, code_hash);
    throw invalidGrant();
  }
  if (code.application_id !== application_id) throw invalidGrant();
  if (code.redirect_uri !== form.get('redirect_uri')) throw invalidGrant();
  if (!provesChallenge(challengeOf(code), form.get('code_verifier'))) throw invalidGrant();
  const client_secret_hash = presentedHash(credentials);
  const issued = await deps.batched.exchangeCode({
    spent_hash: code_hash,
    application_id,
    client_secret_hash,
    ...pair,
  });
  if (issued === undefined) {
    // A concurrent request consumed the code first, or changed the client.
    await revokeIfReplayed(deps, application_id, code_hash);
    throw invalidGrant();
  }
  return issued;
}

function challengeOf({ code_challenge, code_challenge_method }: Code): Challenge | undefined {
  if (code_challenge === null || code_challenge_method === null) return undefined;
  return { code_challenge, code_challenge_method };
}
