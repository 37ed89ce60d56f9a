import { Form } from '@gatehouse/kit/form';
import type {
  AuditLogChange,
  AuditLogWebhook,
  RecordWebhookChangeRequest,
  WebhookAuditEntry,
} from '@gatehouse/proto/chat';
import { readId, readInteger } from '../form/fields.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditChange, AuditEntry } from '../store/audit-log/audit-log.ts';

/** The actions whose target is a webhook. */
export const WEBHOOK_ACTIONS = [
  AuditAction.WEBHOOK_CREATE,
  AuditAction.WEBHOOK_UPDATE,
  AuditAction.WEBHOOK_DELETE,
] as const;

interface WebhookChange {
  readonly id: string;
  readonly webhook: AuditLogWebhook & { readonly channel_id: string };
  readonly revision: number;
  /** The channel before the change. */
  readonly channel_id: string;
  /** Undefined for a change made with the webhook's token. */
  readonly entry: AuditEntry | undefined;
}

const MAX_REVISION = 0x7fffffff;
/** For a request without a webhook, whose empty IDs are violations. */
const NO_WEBHOOK = { id: '', guild_id: '', name: '' };

/**
 * Reads a change reported by webhook-delivery.
 *
 * @throws INVALID_FORM_BODY
 */
export function readWebhookChange(request: RecordWebhookChangeRequest): WebhookChange {
  const form = new Form();
  const id = readId(form, 'id', request.id);
  const revision = readInteger(form, 'revision', request.revision, 1, MAX_REVISION);
  const channel_id = readId(form, 'channel_id', request.channel_id);
  const webhook = { ...NO_WEBHOOK, ...request.webhook, channel_id: request.webhook?.channel_id ?? '' };
  readId(form, 'webhook.id', webhook.id);
  readId(form, 'webhook.guild_id', webhook.guild_id);
  readId(form, 'webhook.channel_id', webhook.channel_id);
  const entry = request.entry == null ? undefined : readEntry(form, webhook, request.entry);
  form.check();
  return { id, webhook, revision, channel_id, entry };
}

function readEntry(form: Form, { id, guild_id }: AuditLogWebhook, entry: WebhookAuditEntry): AuditEntry {
  const action_type = WEBHOOK_ACTIONS.find((number) => number === entry.action_type);
  if (action_type === undefined)
    form.fail('entry.action_type', 'INVALID_FORMAT', `Must be one of ${WEBHOOK_ACTIONS.join(', ')}.`);
  return {
    guild_id,
    action_type: action_type ?? AuditAction.WEBHOOK_UPDATE,
    user_id: readId(form, 'entry.user_id', entry.user_id),
    target_id: id,
    reason: entry.reason ?? null,
    changes: entry.changes.map((change, index) => readChange(form, `entry.changes.${index}`, change)),
  };
}

function readChange(form: Form, path: string, { key, old_value, new_value }: AuditLogChange): AuditChange {
  return {
    key,
    old_value: readValue(form, `${path}.old_value`, old_value),
    new_value: readValue(form, `${path}.new_value`, new_value),
  };
}

function readValue(form: Form, path: string, json: string | null | undefined): unknown {
  if (json == null) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    form.fail(path, 'INVALID_FORMAT', 'Must be JSON.');
    return undefined;
  }
}
