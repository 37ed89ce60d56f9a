import type { AuditLogChange, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { WebhookRow } from '../store/webhooks.ts';

/** Who changes a webhook by a management route, for the audit log. */
export interface Actor {
  readonly account_id: string;
  /** Decoded. */
  readonly reason: string | null;
}

/** A change of a webhook that was made (`before` is undefined), changed or ended (`after` is undefined). */
export type WebhookStates =
  | { readonly before: undefined; readonly after: WebhookRow }
  | { readonly before: WebhookRow; readonly after: WebhookRow | undefined };

const MADE = 50;
const CHANGED = 51;
const ENDED = 52;

/** What chat is told of a change. Who holds the token is nobody that the audit log could name: then there is no actor. */
export function webhookChange(
  id: string,
  revision: number,
  states: WebhookStates,
  actor: Actor | undefined,
): RecordWebhookChangeRequest {
  const { before, after } = states;
  const shown = states.before === undefined ? states.after : (states.after ?? states.before);
  const action_type = before === undefined ? MADE : after === undefined ? ENDED : CHANGED;
  return {
    id,
    revision,
    webhook: {
      id: shown.id,
      guild_id: shown.guild_id,
      channel_id: shown.channel_id,
      name: shown.name,
      avatar: shown.avatar,
    },
    channel_id: (before ?? shown).channel_id,
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
