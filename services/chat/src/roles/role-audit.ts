import type { Role } from '@gatehouse/proto/chat';
import { changeAction } from '../audit-log/change-action.ts';
import { changesBetween } from '../audit-log/changes-between.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';

const ACTIONS = [AuditAction.ROLE_CREATE, AuditAction.ROLE_UPDATE, AuditAction.ROLE_DELETE] as const;
const ROLE_KEYS = ['name', 'color', 'position', 'hoist', 'mentionable', 'permissions'] as const;

/** The audit log entry for a created, changed or deleted role; none if nothing differs. */
export function roleEntries(
  before: Role | undefined,
  after: Role | undefined,
  by: Pick<AuditEntry, 'guild_id' | 'user_id' | 'reason'>,
): AuditEntry[] {
  const changes = changesBetween(before, after, ROLE_KEYS);
  if (changes.length === 0) return [];
  const action_type = changeAction(before, after, ACTIONS);
  return [{ ...by, action_type, target_id: (after ?? before)?.id ?? null, changes }];
}
