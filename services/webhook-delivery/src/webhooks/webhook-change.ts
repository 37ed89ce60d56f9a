import type { AuditLogChange, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { WebhookRow } from '../store/webhooks.ts';

/** The user of an audit log entry: the caller of a management route. */
export interface Actor {
  readonly account_id: string;
  /** Decoded from X-Audit-Log-Reason. */
  readonly reason: string | null;
}

/** A webhook before and after a change: created (no `before`), updated, or deleted (no `after`). */
export type WebhookStates =
  | { readonly before: undefined; readonly after: WebhookRow }
  | { readonly before: WebhookRow; readonly after: WebhookRow | undefined };

/** The action types of audit log entries. */
const ACTION = { create: 50, update: 51, delete: 52 };

/** The change as chat records it. A change by token has no actor, and so no audit log entry. */
export function webhookChange(
  id: string,
  revision: number,
  states: WebhookStates,
  actor: Actor | undefined,
): RecordWebhookChangeRequest {
  const { before, after } = states;
  const { action_type, webhook } = actionOf(states);
  return {
    id,
    revision,
    webhook: {
      id: webhook.id,
      guild_id: webhook.guild_id,
      channel_id: webhook.channel_id,
      name: webhook.name,
      avatar: webhook.avatar,
    },
    channel_id: (before ?? webhook).channel_id,
    entry:
      actor === undefined
        ? null
        : {
            action_type,
            user_id: actor.account_id,
            reason: actor.reason,
            changes: changesBetween(before, after),
          },
  };
}

/** The action, and the webhook after it; a deleted one as it was. */
function actionOf({ before, after }: WebhookStates): {
  readonly action_type: number;
  readonly webhook: WebhookRow;
} {
  if (before === undefined) return { action_type: ACTION.create, webhook: after };
  if (after === undefined) return { action_type: ACTION.delete, webhook: before };
  return { action_type: ACTION.update, webhook: after };
}

/** The members that differ (docs/webhooks.md#audit). */
export function changesBetween(
  before: WebhookRow | undefined,
  after: WebhookRow | undefined,
): AuditLogChange[] {
  const rows = [
    { key: 'name', from: before?.name, to: after?.name },
    { key: 'channel_id', from: before?.channel_id, to: after?.channel_id },
    { key: 'avatar_hash', from: before?.avatar, to: after?.avatar },
  ];
  return rows
    .map(({ key, from, to }) => ({ key, old_value: json(from), new_value: json(to) }))
    .filter(({ old_value, new_value }) => old_value !== new_value);
}

function json(value: string | null | undefined): string | null {
  return value == null ? null : JSON.stringify(value);
}
