import { type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { channelDeleted, channelUpdated } from '../events/event.ts';
import { accessGuildChannel, requirePermission } from '../guilds/access.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { ChannelType, deleteChannelRow, emptyCategory, findChannels } from '../store/channels/channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { channelEntries } from './channel-audit.ts';

/**
 * Deletes a channel, with its overwrites and invites, in a guild that the transaction has locked. A category's channels
 * stay, without a parent. Webhooks and messages are deleted later (channels/deleted-channels.ts).
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS
 */
export async function deleteGuildChannel(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  actor: Membership,
  channelId: string,
  reason: string | null,
): Promise<void> {
  const { channel, permissions } = await accessGuildChannel(tx, actor, channelId);
  requirePermission(permissions, Permission.MANAGE_CHANNELS);
  const all = channel.type === ChannelType.CATEGORY ? await findChannels(tx, actor.guild_id) : [];
  const children = all.filter(({ parent_id }) => parent_id === channel.id);

  if (children.length > 0) await emptyCategory(tx, channel.id);
  await deleteChannelRow(tx, channel.id);
  await insertEvents(tx, [
    ...children.map((child) => channelUpdated({ ...child, parent_id: null })),
    channelDeleted(channel),
  ]);
  const entries = channelEntries(channel, undefined, actor.account_id, reason);
  await insertAuditEntries(tx, ids, entries);
}
