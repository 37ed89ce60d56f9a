import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { channelCreated, channelOpened } from '../events/event.ts';
import { findChannel } from '../store/channels/channels.ts';
import {
  findDirectChannel,
  insertDirectChannel,
  insertGroupChannel,
  lockPrivateChannel,
  reopenDirectChannel,
} from '../store/channels/private-channels.ts';
import { insertEvents } from '../store/events/events.ts';

/** Opens the DM of two accounts for the first one, and creates it if it does not exist. */
export async function openDirectChannel(
  tx: PoolClient,
  id: string,
  accountId: string,
  otherId: string,
): Promise<ChannelRow> {
  // Looked up first, since an INSERT attempt writes even if the DM exists.
  const existing = await findDirectChannel(tx, accountId, otherId);
  if (existing !== undefined) return reopened(tx, existing, accountId);
  if (await insertDirectChannel(tx, id, accountId, otherId)) return created(tx, id);
  const concurrent = await findDirectChannel(tx, accountId, otherId);
  if (concurrent === undefined) throw new Error('a DM that a concurrent request created is missing');
  return reopened(tx, concurrent, accountId);
}

/** Creates a group DM of the account with the others. */
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
  const channel = await findChannel(tx, id);
  if (channel === undefined) throw new Error('a channel that was just stored is missing');
  await insertEvents(tx, [channelCreated(channel)]);
  return channel;
}

/** An existing DM, which the account sees from now on. */
async function reopened(tx: PoolClient, id: string, accountId: string): Promise<ChannelRow> {
  await lockPrivateChannel(tx, id);
  const channel = await findChannel(tx, id);
  if (channel === undefined) throw new Error('a DM that was just found is missing');
  if (await reopenDirectChannel(tx, id, accountId))
    await insertEvents(tx, [channelOpened(channel, accountId)]);
  return channel;
}
