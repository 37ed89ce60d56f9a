import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import type { IssuedPair } from '../store/exchange-grants.ts';
import type { GrantRequest } from './grant-request.ts';
import { revokeIfReplayed } from './revoke-if-replayed.ts';

/**
 * Exchanges a refresh token for a new pair. One statement checks and consumes it.
 *
 * @throws INVALID_GRANT
 */
export async function exchangeRefreshToken(
  deps: Deps,
  { application_id, form, pair }: GrantRequest,
): Promise<IssuedPair> {
  const token = form.get('refresh_token');
  if (token === undefined) throw invalidGrant();
  const spent_hash = credentialHash(token);
  const issued = await deps.batched.exchangeRefreshToken({ spent_hash, application_id, ...pair });
  if (issued === undefined) {
    await revokeIfReplayed(deps, application_id, spent_hash);
    throw invalidGrant();
  }
  return issued;
}
