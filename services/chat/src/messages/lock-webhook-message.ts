import type { ChannelRow, MessageRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { missingPermissions, unknownMessage } from '../errors.ts';
import { lockChannel } from '../store/channels/channel-lock.ts';
import { findChannel } from '../store/channels/channels.ts';
import { findMessageToChange } from '../store/messages/change-messages.ts';

/**
 * Returns a webhook's message, and locks its channel until the transaction ends.
 *
 * @throws UNKNOWN_MESSAGE if the channel has no such message; MISSING_PERMISSIONS if it has another author
 */
export async function lockWebhookMessage(
  tx: PoolClient,
  channelId: string,
  messageId: string,
  webhookId: string,
): Promise<{ readonly channel: ChannelRow; readonly row: MessageRow }> {
  await lockChannel(tx, channelId);
  const channel = await findChannel(tx, channelId);
  const row = await findMessageToChange(tx, channelId, messageId);
  if (channel === undefined || row === undefined) throw unknownMessage();
  if (row.webhook_id !== webhookId) throw missingPermissions();
  return { channel, row };
}
