import type { AuditLogChange, AuditLogEntry } from '@gatehouse/proto/chat';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditChange, AuditEntryRow } from '../store/audit-log/audit-log.ts';
import { WEBHOOK_ACTIONS } from './webhook-change.ts';

/** The accounts that an entry names: the actor and, if it is an account, the target. */
export function accountsNamed({ action_type, user_id, target_id }: AuditEntryRow): readonly string[] {
  return target_id !== null && ABOUT_ACCOUNTS.has(action_type) ? [user_id, target_id] : [user_id];
}

const ABOUT_ACCOUNTS: ReadonlySet<number> = new Set([
  AuditAction.MEMBER_KICK,
  AuditAction.MEMBER_UPDATE,
  AuditAction.MEMBER_ROLE_UPDATE,
  AuditAction.BOT_ADD,
]);

/** The webhooks that the entries are about. */
export function webhooksNamed(entries: readonly AuditEntryRow[]): string[] {
  const ids = entries
    .filter(({ action_type }) => ABOUT_WEBHOOKS.has(action_type))
    .map((entry) => entry.target_id);
  return [...new Set(ids.filter((id) => id !== null))];
}

const ABOUT_WEBHOOKS: ReadonlySet<number> = new Set(WEBHOOK_ACTIONS);

/** An entry as clients see it. */
export function viewAuditEntry({ options, changes, ...entry }: AuditEntryRow): AuditLogEntry {
  return { ...entry, options: json(options), changes: changes.map(viewChange) };
}

function viewChange({ key, old_value, new_value }: AuditChange): AuditLogChange {
  return { key, old_value: json(old_value), new_value: json(new_value) };
}

/** A value as JSON text; null without a value. */
function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
