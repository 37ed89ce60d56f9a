import type { SecurityEvent } from '@gatehouse/proto/auth';
import type { AdminAccount, AdminSession, Suspension } from '@gatehouse/proto/auth-admin';
import type { AdminAccountRow } from '../store/admin/admin-accounts.ts';
import type { AdminSessionRow } from '../store/admin/admin-credentials.ts';
import type { StoredSecurityEvent } from '../store/events/security-events.ts';

/** An account as operators see it: no secret, and no hash of one. */
export function adminAccount(row: AdminAccountRow): AdminAccount {
  const { id, username, global_name, email, verified, bot, owner_id, owner_username } = row;
  return {
    id,
    username,
    global_name,
    email,
    verified,
    bot,
    created_at_ms: row.created_at.getTime(),
    suspension: suspensionOf(row.suspended_at, row.suspended_by, row.suspension_reason),
    owner_id,
    owner_username,
    owner_suspension: suspensionOf(
      row.owner_suspended_at,
      row.owner_suspended_by,
      row.owner_suspension_reason,
    ),
  };
}

function suspensionOf(
  at: Date | null,
  operator: string | null,
  reason: string | null,
): Suspension | undefined {
  if (at === null || operator === null || reason === null) return undefined;
  return { at_ms: at.getTime(), operator, reason };
}

export function adminSession({ created_at, last_used_at, ...session }: AdminSessionRow): AdminSession {
  return { ...session, created_at_ms: created_at.getTime(), last_used_at_ms: last_used_at.getTime() };
}

export function securityEvent({ at, ...event }: StoredSecurityEvent): SecurityEvent {
  return { ...event, at_ms: at.getTime() };
}
