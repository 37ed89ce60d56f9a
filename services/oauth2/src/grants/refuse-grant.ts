import type { Deps } from '../deps.ts';
import { invalidGrant } from '../errors.ts';
import { revokeReplayed } from '../store/revoke-tokens.ts';

/**
 * Refuses a code or refresh token that cannot be consumed: it is unknown, or was consumed before. With
 * `revoke_on_replay`, presenting a consumed one ends the grant (docs/oauth2.md#replay).
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
