import type { Handler } from '@gatehouse/kit/rpc';
import type { RecordWebhookChangeRequest, RecordWebhookChangeResponse } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';
import { readWebhookChange, type WebhookChange } from '../audit-log/webhook-change.ts';
import type { Deps } from '../deps.ts';
import { webhooksUpdated } from '../events/event.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { insertAuditEntries } from '../store/audit-log.ts';
import { readChannel } from '../store/channels.ts';
import { insertEvents } from '../store/events.ts';
import { lockGuild } from '../store/guild-lock.ts';
import { keepWebhookSummary } from '../store/webhook-summaries.ts';

export function recordWebhookChange(
  deps: Deps,
): Handler<RecordWebhookChangeRequest, RecordWebhookChangeResponse> {
  return async (request) => {
    const change = readWebhookChange(request);
    const { webhook } = change;
    return eventTransaction(deps, async (tx) => {
      if (!(await lockGuild(tx, webhook.guild_id))) return { channel_gone: true };
      await record(tx, change);
      return { channel_gone: (await readChannel(tx, webhook.channel_id)) === undefined };
    });
  };
}

/** Does nothing for a change that was recorded before. */
async function record(tx: PoolClient, { id, webhook, revision, channel_id, entry }: WebhookChange) {
  if (!(await keepWebhookSummary(tx, webhook, revision))) return;
  if (entry !== undefined) await insertAuditEntries(tx, () => id, [entry]);
  await insertEvents(tx, [webhooksUpdated(webhook.guild_id, channel_id)]);
}
