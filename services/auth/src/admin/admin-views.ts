import type { SecurityEvent } from '@gatehouse/proto/auth';
import type { AdminAccount, AdminSession, Suspension } from '@gatehouse/proto/auth-admin';
import type { AdminAccountRow } from '../store/admin/admin-accounts.ts';
import type { AdminSessionRow } from '../store/admin/admin-credentials.ts';
import type { StoredSecurityEvent } from '../store/events/security-events.ts';

/** An account as operators see it: no secret, and no hash of one. */
export function adminAccount(row: AdminAccountRow): AdminAccount {
  const { id, username, global_name, email, verified, bot, owner_id } = row;
  return {
    id,
    username,
    global_name,
    email,
    verified,
    bot,
    created_at_ms: row.created_at.getTime(),
    suspension: suspensionOf(row),
    owner_id,
  };
}

function suspensionOf({
  suspended_at,
  suspended_by,
  suspension_reason,
}: AdminAccountRow): Suspension | undefined {
  if (suspended_at === null || suspended_by === null || suspension_reason === null) return undefined;
  return { at_ms: suspended_at.getTime(), operator: suspended_by, reason: suspension_reason };
}

export function adminSession({ created_at, last_used_at, ...session }: AdminSessionRow): AdminSession {
  return { ...session, created_at_ms: created_at.getTime(), last_used_at_ms: last_used_at.getTime() };
}

export function securityEvent({ at, ...event }: StoredSecurityEvent): SecurityEvent {
  return { ...event, at_ms: at.getTime() };
}
