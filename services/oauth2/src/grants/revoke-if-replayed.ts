import type { Deps } from '../deps.ts';
import { revokeReplayed } from '../store/revoke-tokens.ts';

/**
 * Handles a code or refresh token that cannot be consumed: it is unknown, or was consumed before. With
 * `revoke_on_replay`, presenting a consumed one ends the user's authorization (docs/oauth2.md#replay).
 */
export async function revokeIfReplayed(
  { db, hardening }: Pick<Deps, 'db' | 'hardening'>,
  application_id: string,
  grant_hash: string,
): Promise<void> {
  if (hardening.revoke_on_replay) await revokeReplayed(db, application_id, grant_hash);
}
