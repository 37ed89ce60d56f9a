import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { channelCreated, channelOpened } from '../events/event.ts';
import { readChannel } from '../store/channels/channels.ts';
import {
  findDirectChannel,
  insertDirectChannel,
  insertGroupChannel,
  lockPrivateChannel,
  reopenDirectChannel,
} from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';

/** Opens the one DM of two accounts for the first of them: it is made where there is none. */
export async function openDirectChannel(
  tx: PoolClient,
  id: string,
  accountId: string,
  otherId: string,
): Promise<ChannelRow> {
  // Looked for first: an attempt to insert it would write even where it exists.
  if ((await findDirectChannel(tx, accountId, otherId)) === undefined) {
    if (await insertDirectChannel(tx, id, accountId, otherId)) return created(tx, id);
  }
  const existing = await findDirectChannel(tx, accountId, otherId);
  const channel = existing === undefined ? undefined : await lockedChannel(tx, existing);
  if (channel === undefined) throw new Error('a DM does not end');
  if (await reopenDirectChannel(tx, channel.id, accountId)) {
    await insertEvents(tx, [channelOpened(channel, accountId)]);
  }
  return channel;
}

/** Makes a group DM of the account's with the others. */
export async function openGroupChannel(
  tx: PoolClient,
  id: string,
  accountId: string,
  otherIds: readonly string[],
): Promise<ChannelRow> {
  await insertGroupChannel(tx, id, [accountId, ...otherIds]);
  return created(tx, id);
}

async function created(tx: PoolClient, id: string): Promise<ChannelRow> {
  const channel = await readChannel(tx, id);
  if (channel === undefined) throw new Error('the transaction has stored it');
  await insertEvents(tx, [channelCreated(channel)]);
  return channel;
}

async function lockedChannel(tx: PoolClient, id: string): Promise<ChannelRow | undefined> {
  await lockPrivateChannel(tx, id);
  return readChannel(tx, id);
}
