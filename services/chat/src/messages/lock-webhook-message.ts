import type { ChannelRow, MessageRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { guildDisabled, missingPermissions, unknownMessage, webhookCheckOutdated } from '../errors.ts';
import { lockChannel } from '../store/channels/channel-lock.ts';
import { findChannel } from '../store/channels/channels.ts';
import { findMessageToChange } from '../store/messages/change-messages.ts';

/** A message, and the webhook that asks for it. */
interface WebhookMessage {
  readonly channel_id: string;
  readonly message_id: string;
  readonly webhook_id: string;
  /** The fence at the check of the webhook's credential. */
  readonly fence?: number | null | undefined;
}

/**
 * Returns a webhook's message, and locks its channel until the transaction ends.
 *
 * @throws WEBHOOK_CHECK_OUTDATED; GUILD_DISABLED; UNKNOWN_MESSAGE if the channel has no such message; MISSING_PERMISSIONS if
 *   it has another author
 */
export async function lockWebhookMessage(
  tx: PoolClient,
  { channel_id, message_id, webhook_id, fence }: WebhookMessage,
): Promise<{ readonly channel: ChannelRow; readonly row: MessageRow }> {
  const { is_disabled, webhook_fence } = await lockChannel(tx, channel_id);
  if (fence != null && fence < webhook_fence) throw webhookCheckOutdated(webhook_fence);
  const channel = await findChannel(tx, channel_id);
  const row = await findMessageToChange(tx, channel_id, message_id);
  if (channel === undefined || row === undefined) throw unknownMessage();
  if (row.webhook_id !== webhook_id) throw missingPermissions();
  if (is_disabled) throw guildDisabled();
  return { channel, row };
}
