import type { AuditAction } from '../store/audit-log/audit-action.ts';

/** Chooses among the actions for a created, a changed and a deleted object. */
export function changeAction(
  before: object | undefined,
  after: object | undefined,
  [create, update, remove]: readonly [AuditAction, AuditAction, AuditAction],
): AuditAction {
  if (before === undefined) return create;
  return after === undefined ? remove : update;
}
