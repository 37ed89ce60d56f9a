import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition, RecordWebhookChangeRequest } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import type { PrismaClient } from '../store/prisma.ts';
import { webhookChangeRows } from '../store/webhook-changes.ts';
import { deleteWebhooksIn } from '../store/webhooks.ts';

/** How long chat may take to record a change. The request that made the change waits for it. */
const TIMEOUT_MS = 2_000;

/**
 * Tells chat of changes of webhooks (docs/decisions/webhook-changes.md). Chat answers whether the webhook's channel is
 * gone. EndChannels may have come before the webhook did, so the channel's webhooks are then deleted again.
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
      const { channel_gone } = await chat.recordWebhookChange(change, { timeoutMs: TIMEOUT_MS });
      const channel_id = change.webhook?.channel_id;
      if (channel_gone && channel_id != null) await deleteWebhooksIn(db, [channel_id]);
    },
    what: 'changes of webhooks',
    log,
  });
}
