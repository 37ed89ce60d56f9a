import { authenticateClient, claimedClientId, verifyClient } from '../clients/authenticate-client.ts';
import { presentedHash } from '../clients/client-credentials.ts';
import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import type { IssuedPair } from '../store/exchange-grants.ts';
import type { GrantRequest } from './grant-request.ts';
import { revokeIfReplayed } from './revoke-if-replayed.ts';

/**
 * Authenticates the client and exchanges a refresh token for a new pair. One statement does both; it consumes the token
 * only if the client secret is right.
 *
 * @throws the errors of client authentication; INVALID_GRANT
 */
export async function exchangeRefreshToken(
  deps: Deps,
  { credentials, form, pair }: GrantRequest,
): Promise<IssuedPair> {
  const client_id = claimedClientId(credentials);
  const token = form.get('refresh_token');
  if (client_id === undefined || token === undefined) {
    await authenticateClient(deps, credentials);
    throw invalidGrant();
  }
  const spent_hash = credentialHash(token);
  const { client, issued } = await deps.batched.exchangeRefreshToken({
    spent_hash,
    application_id: client_id,
    client_secret_hash: presentedHash(credentials),
    ...pair,
  });
  const application_id = verifyClient(deps, client, credentials);
  if (issued === undefined) {
    await revokeIfReplayed(deps, application_id, spent_hash);
    throw invalidGrant();
  }
  return issued;
}
