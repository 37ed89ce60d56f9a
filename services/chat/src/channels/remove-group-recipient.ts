import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { badRequest, missingPermissions, unknownUser } from '../errors.ts';
import { channelClosed, channelUpdated, recipientRemoved } from '../events/event.ts';
import { accessChannel } from '../guilds/access.ts';
import { ChannelType } from '../store/channels/channels.ts';
import {
  deletePrivateChannel,
  deleteRecipient,
  lockPrivateChannel,
} from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';

interface RecipientRemoval {
  readonly channel_id: string;
  /** The account to remove. */
  readonly account_id: string;
  readonly by_account_id: string;
}

/**
 * Removes an account from a group DM, with its events (docs/guilds.md#dms).
 *
 * @throws NOT_FOUND; MISSING_ACCESS if the actor is no recipient; MISSING_PERMISSIONS if the actor removes another
 * account and is not the owner; UNKNOWN_USER; BAD_REQUEST if it is no group DM
 */
export async function removeGroupRecipient(
  tx: PoolClient,
  { channel_id, account_id, by_account_id }: RecipientRemoval,
): Promise<void> {
  await lockPrivateChannel(tx, channel_id);
  const { channel } = await accessChannel(tx, channel_id, by_account_id);
  if (channel.type !== ChannelType.GROUP_DM)
    throw badRequest('Only recipients of a group DM can be removed.');
  if (account_id !== by_account_id && channel.owner_id !== by_account_id) throw missingPermissions();
  if (!channel.recipient_ids.includes(account_id)) throw unknownUser();
  await leaveGroupChannel(tx, channel, account_id);
}

/**
 * Removes a recipient from a locked group DM. After its owner, the next recipient owns it; after its last recipient it is
 * deleted.
 */
export async function leaveGroupChannel(
  tx: PoolClient,
  channel: ChannelRow,
  accountId: string,
): Promise<void> {
  const recipient_ids = channel.recipient_ids.filter((id) => id !== accountId);
  const [next] = recipient_ids;
  if (next === undefined) {
    await deletePrivateChannel(tx, channel.id);
    await insertEvents(tx, [channelClosed(channel, accountId)]);
    return;
  }
  const owner_id = channel.owner_id === accountId ? next : (channel.owner_id ?? next);
  await deleteRecipient(tx, channel.id, accountId, owner_id);
  const rest: ChannelRow = { ...channel, recipient_ids, owner_id };
  await insertEvents(tx, [
    recipientRemoved(rest, accountId),
    channelClosed(channel, accountId),
    ...(owner_id === channel.owner_id ? [] : [channelUpdated(rest)]),
  ]);
}
