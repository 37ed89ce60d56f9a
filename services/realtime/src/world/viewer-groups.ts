import { type Overwrite, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { MutableGuild, ViewerGroup } from './world-state.ts';

/**
 * Adds a channel to the guild or replaces its row. The caller removes its former group if it is unused
 * (removeIfUnused).
 */
export function setChannel<S>(guild: MutableGuild<S>, row: ChannelRow): ViewerGroup<S> {
  guild.channels.set(row.id, row);
  const before = guild.viewer_group_by_channel.get(row.id);
  const group = viewerGroupFor(guild, row.permission_overwrites);
  if (before === group) return group;
  guild.viewer_group_by_channel.set(row.id, group);
  group.channels++;
  if (before !== undefined) before.channels--;
  return group;
}

export function deleteChannel<S>(guild: MutableGuild<S>, id: string): void {
  const group = guild.viewer_group_by_channel.get(id);
  guild.channels.delete(id);
  guild.viewer_group_by_channel.delete(id);
  if (group === undefined) return;
  group.channels--;
  removeIfUnused(guild, group);
}

/** Removes a group without channels. */
export function removeIfUnused<S>(guild: MutableGuild<S>, group: ViewerGroup<S> | undefined): void {
  if (group?.channels === 0) guild.viewer_groups.delete(group.key);
}

function viewerGroupFor<S>(guild: MutableGuild<S>, all: readonly Overwrite[]): ViewerGroup<S> {
  const overwrites = all.filter(isAboutViewing);
  const key = overwrites.map(({ id, type, allow, deny }) => `${id} ${type} ${allow} ${deny}`).join();
  const found = guild.viewer_groups.get(key);
  if (found !== undefined) return found;
  const member_overwrite_ids = new Set(overwrites.filter(({ type }) => type === 1).map(({ id }) => id));
  const group = { key, overwrites, member_overwrite_ids, views: new Map(), channels: 0, viewers: undefined };
  guild.viewer_groups.set(key, group);
  return group;
}

/** Other overwrites do not affect VIEW_CHANNEL. */
function isAboutViewing({ allow, deny }: Overwrite): boolean {
  return ((BigInt(allow) | BigInt(deny)) & Permission.VIEW_CHANNEL) !== 0n;
}
