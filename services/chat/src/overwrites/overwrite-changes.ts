import type { Overwrite } from '@gatehouse/chat-client/permissions';
import { changeAction } from '../audit-log/change-action.ts';
import { changesBetween } from '../audit-log/changes-between.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';

const ACTIONS = [
  AuditAction.OVERWRITE_CREATE,
  AuditAction.OVERWRITE_UPDATE,
  AuditAction.OVERWRITE_DELETE,
] as const;

/** `before` is undefined for a new overwrite, `after` for a deleted one. */
export interface OverwriteChange {
  readonly before: Overwrite | undefined;
  readonly after: Overwrite | undefined;
}

/** The new, changed and deleted overwrites of a channel. */
export function overwriteChanges(
  before: readonly Overwrite[],
  after: readonly Overwrite[],
): OverwriteChange[] {
  const old = new Map(before.map((overwrite) => [overwrite.id, overwrite]));
  const kept = new Set(after.map(({ id }) => id));
  return [
    ...after.map((overwrite) => ({ before: old.get(overwrite.id), after: overwrite })).filter(differs),
    ...before.filter(({ id }) => !kept.has(id)).map((overwrite) => ({ before: overwrite, after: undefined })),
  ];
}

/**
 * The bits that a member must have to make these changes: those that new and changed overwrites allow or deny, and those
 * that are denied no longer.
 */
export function requiredBits(changes: readonly OverwriteChange[]): bigint {
  return changes.reduce((bits, { before, after }) => {
    const denied = BigInt(after?.deny ?? 0);
    const lifted = BigInt(before?.deny ?? 0) & ~denied;
    return bits | BigInt(after?.allow ?? 0) | denied | lifted;
  }, 0n);
}

/** The audit log entry of a change, whose target is the channel. */
export function overwriteEntry({
  before,
  after,
}: OverwriteChange): Pick<AuditEntry, 'action_type' | 'options' | 'changes'> {
  return {
    action_type: changeAction(before, after, ACTIONS),
    options: { id: (after ?? before)?.id, type: (after ?? before)?.type },
    changes: changesBetween(before, after, ['id', 'type', 'allow', 'deny']),
  };
}

function differs({ before, after }: { before: Overwrite | undefined; after: Overwrite }): boolean {
  return before?.type !== after.type || before.allow !== after.allow || before.deny !== after.deny;
}
