import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import type { PrismaClient } from '../store/prisma.ts';
import { webhookChangeRows } from '../store/webhook-changes.ts';
import { deleteWebhooksIn } from '../store/webhooks.ts';

/** Timeout of chat for recording a change. The request that made the change waits for it. */
const RECORD_TIMEOUT_MS = 2_000;

/**
 * Sends changes of webhooks to chat (docs/decisions/webhook-changes.md). If chat answers that the channel is gone, it
 * deletes the channel's webhooks once more, because EndChannels may have run before this change.
 */
export function openWebhookChangeOutbox(
  db: Pool,
  prisma: PrismaClient,
  chat: Client<typeof ChatServiceDefinition>,
  log: Logger,
): Outbox<RecordWebhookChangeRequest> {
  return openOutbox({
    rows: webhookChangeRows(db, prisma),
    deliver: async (change) => {
      const { channel_gone } = await chat.recordWebhookChange(change, { timeoutMs: RECORD_TIMEOUT_MS });
      const channel_id = change.webhook?.channel_id;
      if (channel_gone && channel_id != null) await deleteWebhooksIn(db, [channel_id]);
    },
    what: 'changes of webhooks',
    log,
  });
}
