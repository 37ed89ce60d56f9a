import { credentialHash } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import type { IssuedGrant } from '../store/exchange-grants.ts';
import type { GrantRequest } from './grant-request.ts';
import { refuseGrant } from './refuse-grant.ts';

/**
 * Exchanges a refresh token for a new pair. One statement checks and consumes it.
 *
 * @throws INVALID_GRANT
 */
export async function exchangeRefreshToken(
  deps: Deps,
  { application_id, form, pair }: GrantRequest,
): Promise<IssuedGrant> {
  const token = form.get('refresh_token');
  if (token === undefined) throw invalidGrant();
  const spent_hash = credentialHash(token);
  const issued = await deps.batched.exchangeRefreshToken({ spent_hash, application_id, ...pair });
  return issued ?? refuseGrant(deps, application_id, spent_hash);
}
