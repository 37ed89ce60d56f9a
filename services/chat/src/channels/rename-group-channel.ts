import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { badRequest } from '../errors.ts';
import { channelUpdated } from '../events/event.ts';
import { accessChannel } from '../guilds/access.ts';
import { ChannelType, updateChannelFields } from '../store/channels/channels.ts';
import { lockPrivateChannel } from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';
import type { ChannelSettings } from './channel-form.ts';

/**
 * Renames a group DM. Its recipients can change nothing else.
 *
 * @throws NOT_FOUND, MISSING_ACCESS; BAD_REQUEST for a DM, and for other settings
 */
export async function renameGroupChannel(
  tx: PoolClient,
  channelId: string,
  accountId: string,
  { name, ...others }: Partial<ChannelSettings>,
): Promise<ChannelRow> {
  await lockPrivateChannel(tx, channelId);
  const { channel } = await accessChannel(tx, channelId, accountId);
  if (channel.type !== ChannelType.GROUP_DM) throw badRequest('A DM cannot be changed.');
  if (Object.keys(others).length > 0) throw badRequest('Only the name of a group DM can be changed.');
  if (name === undefined || name === channel.name) return channel;
  const renamed = { ...channel, name };
  await updateChannelFields(tx, channelId, renamed);
  await insertEvents(tx, [channelUpdated(renamed)]);
  return renamed;
}
