import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import { webhookChangeRows } from '../store/webhook-changes.ts';
import { deleteWebhooksIn } from '../store/webhooks.ts';

/** Chat may take so long to record a change, and a request waits for it. */
const TIMEOUT_MS = 2_000;

/**
 * Tells chat of changes of webhooks. Chat in turn says when a webhook came to a channel that had just ended: whatever
 * came there after EndChannels goes too.
 */
export function openWebhookChanges(
  db: Pool,
  chat: Client<typeof ChatServiceDefinition>,
  log: Logger,
): Outbox<RecordWebhookChangeRequest> {
  return openOutbox({
    rows: webhookChangeRows(db),
    tell: async (change) => {
      const { channel_gone } = await chat.recordWebhookChange(change, { timeoutMs: TIMEOUT_MS });
      const channel_id = change.webhook?.channel_id;
      if (channel_gone && channel_id != null) await deleteWebhooksIn(db, [channel_id]);
    },
    what: 'changes of webhooks',
    log,
  });
}
