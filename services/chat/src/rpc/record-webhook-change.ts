import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RecordWebhookChangeRequest, RecordWebhookChangeResponse } from '@gatehouse/proto/chat';
import { webhookEntry } from '../audit-log/webhook-entry.ts';
import type { Deps } from '../deps.ts';
import { webhooksUpdated } from '../events/event.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { readId } from '../form/fields.ts';
import { insertAuditEntryOnce } from '../store/audit-log.ts';
import { readChannel } from '../store/channels.ts';
import { insertEvents } from '../store/events.ts';
import { lockGuild } from '../store/guild-lock.ts';
import { keepWebhookSummary } from '../store/webhook-summaries.ts';

export function recordWebhookChange(
  deps: Deps,
): Handler<RecordWebhookChangeRequest, RecordWebhookChangeResponse> {
  return async (request) => {
    const { id, webhook, revision, channel_id, entry } = readChange(request);
    return eventTransaction(deps, async (tx) => {
      if (!(await lockGuild(tx, webhook.guild_id))) return { channel_gone: true };
      const channel_gone = (await readChannel(tx, webhook.channel_id ?? channel_id)) === undefined;
      if (entry != null && !(await insertAuditEntryOnce(tx, id, webhookEntry(webhook, entry))))
        return { channel_gone };
      await keepWebhookSummary(tx, webhook, revision);
      await insertEvents(tx, [webhooksUpdated(webhook.guild_id, channel_id)]);
      return { channel_gone };
    });
  };
}

/** @throws INVALID_FORM_BODY */
function readChange({ webhook, ...change }: RecordWebhookChangeRequest) {
  const form = new Form();
  if (webhook === null) form.fail('webhook', 'INVALID_FORMAT', 'Must be there.');
  readId(form, 'id', change.id);
  readId(form, 'channel_id', change.channel_id);
  readId(form, 'webhook.id', webhook?.id);
  readId(form, 'webhook.guild_id', webhook?.guild_id);
  readId(form, 'webhook.channel_id', webhook?.channel_id);
  readId(form, 'entry.user_id', change.entry?.user_id);
  form.check();
  if (webhook === null) throw new Error('a form without violations lacks its webhook');
  return { ...change, webhook };
}
