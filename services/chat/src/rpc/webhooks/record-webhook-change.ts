import type { Handler } from '@gatehouse/kit/rpc';
import type { RecordWebhookChangeRequest, RecordWebhookChangeResponse } from '@gatehouse/proto/chat';
import { readWebhookChange } from '../../audit-log/webhook-change.ts';
import type { Deps } from '../../deps.ts';
import { webhooksUpdated } from '../../events/event.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { recordWebhookRevision } from '../../store/audit-log/webhook-summaries.ts';
import { findChannel } from '../../store/channels/channels.ts';
import { insertEvents } from '../../store/events/events.ts';
import { lockGuildKeepingRevision } from '../../store/guilds/guild-lock.ts';

export function recordWebhookChange(
  deps: Deps,
): Handler<RecordWebhookChangeRequest, RecordWebhookChangeResponse> {
  return async (request) => {
    const { id, webhook, revision, channel_id, entry } = readWebhookChange(request);
    return eventTransaction(deps, async (tx) => {
      if (!(await lockGuildKeepingRevision(tx, webhook.guild_id))) return { channel_gone: true };
      if (await recordWebhookRevision(tx, webhook, revision)) {
        if (entry !== undefined) await insertAuditEntries(tx, () => id, [entry]);
        await insertEvents(tx, [webhooksUpdated(webhook.guild_id, channel_id)]);
      }
      return { channel_gone: (await findChannel(tx, webhook.channel_id)) === undefined };
    });
  };
}
