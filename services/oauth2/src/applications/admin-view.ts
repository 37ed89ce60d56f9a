import type { AdminApplication, Disablement } from '@gatehouse/proto/oauth2-admin';
import type { AdminRow } from '../store/admin-applications.ts';

/** An application as shown to operators. */
export function adminApplication(row: AdminRow): AdminApplication {
  const { id, name, owner_id, redirect_uris, created_at, owner_suspended } = row;
  return {
    id,
    name,
    owner_id,
    redirect_uris,
    created_at_ms: created_at.getTime(),
    disablement: disablementOf(row),
    owner_suspended,
  };
}

function disablementOf({ disabled_at, disabled_by, disabled_reason }: AdminRow): Disablement | undefined {
  if (disabled_at === null || disabled_by === null || disabled_reason === null) return undefined;
  return { at_ms: disabled_at.getTime(), operator: disabled_by, reason: disabled_reason };
}
