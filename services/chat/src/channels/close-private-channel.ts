import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { channelClosed } from '../events/event.ts';
import { accessChannel } from '../guilds/access.ts';
import { ChannelType } from '../store/channels/channels.ts';
import { closeDirectChannel, lockPrivateChannel } from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { leaveGroupChannel } from './remove-group-recipient.ts';

/**
 * Closes a DM for an account, until the account opens it again or a message is posted; removes the account from a group
 * DM. Returns the channel as the account last saw it.
 *
 * @throws NOT_FOUND; MISSING_ACCESS if it is no recipient
 */
export async function closePrivateChannel(
  tx: PoolClient,
  channelId: string,
  accountId: string,
): Promise<ChannelRow> {
  await lockPrivateChannel(tx, channelId);
  const { channel } = await accessChannel(tx, channelId, accountId);
  if (channel.type === ChannelType.GROUP_DM) await leaveGroupChannel(tx, channel, accountId);
  else if (await closeDirectChannel(tx, channel.id, accountId)) {
    await insertEvents(tx, [channelClosed(channel, accountId)]);
  }
  return channel;
}
