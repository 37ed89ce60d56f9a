import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import { revokeReplayed } from '../store/revoke-tokens.ts';

/**
 * Refuses what cannot be consumed: a code or refresh token that is unknown, or was consumed before. The latter ends the
 * grant, if that is set (docs/oauth2.md#replay).
 *
 * @throws INVALID_GRANT
 */
export async function refuseGrant(
  { db, hardening }: Pick<Deps, 'db' | 'hardening'>,
  application_id: string,
  grant_hash: string,
): Promise<never> {
  if (hardening.revoke_on_replay) await revokeReplayed(db, application_id, grant_hash);
  throw invalidGrant();
}
