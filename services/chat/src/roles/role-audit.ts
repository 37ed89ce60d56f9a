import type { Role } from '@gatehouse/proto/chat';
import { changesBetween } from '../audit-log/changes-between.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';

const KEYS = ['name', 'color', 'position', 'hoist', 'mentionable', 'permissions'] as const;

/** The audit log entry for a created, changed or deleted role; undefined without a difference. */
export function roleEntries(
  before: Role | undefined,
  after: Role | undefined,
  by: Pick<AuditEntry, 'guild_id' | 'user_id' | 'reason'>,
): AuditEntry[] {
  const changes = changesBetween(before, after, KEYS);
  if (changes.length === 0) return [];
  return [{ ...by, action_type: actionOf(before, after), target_id: (after ?? before)?.id ?? null, changes }];
}

function actionOf(before: Role | undefined, after: Role | undefined): AuditAction {
  if (before === undefined) return AuditAction.ROLE_CREATE;
  return after === undefined ? AuditAction.ROLE_DELETE : AuditAction.ROLE_UPDATE;
}
