import type { AuditLogWebhook, WebhookAuditEntry } from '@gatehouse/proto/chat';
import { badRequest } from '../errors.ts';
import { AuditAction, type AuditEntry } from './entry.ts';

/** What the audit log says of a webhook that was made, changed or ended. @throws BAD_REQUEST for another action */
export function webhookEntry(
  { id, guild_id }: AuditLogWebhook,
  { action_type, user_id, reason = null, changes }: WebhookAuditEntry,
): AuditEntry {
  const action = WEBHOOK_ACTIONS.find((number) => number === action_type);
  if (action === undefined) throw badRequest('The action is none of a webhook.');
  return {
    guild_id,
    action_type: action,
    user_id,
    target_id: id,
    reason,
    changes: changes.map(({ key, old_value, new_value }) => ({
      key,
      ...(old_value != null && { old_value: JSON.parse(old_value) }),
      ...(new_value != null && { new_value: JSON.parse(new_value) }),
    })),
  };
}

/** The actions whose target is a webhook. */
export const WEBHOOK_ACTIONS = [
  AuditAction.WEBHOOK_CREATE,
  AuditAction.WEBHOOK_UPDATE,
  AuditAction.WEBHOOK_DELETE,
] as const;
