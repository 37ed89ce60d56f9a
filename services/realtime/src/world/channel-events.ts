import { type Delivery, eventTo } from './delivery.ts';
import type { LogEvent } from './event.ts';
import type { GuildHandler } from './guild-events.ts';
import { handlers } from './handlers.ts';
import { afterDeletion, withLastMessage } from './last-message.ts';
import * as payloads from './log-payloads.ts';
import { hidden, shown } from './view-changes.ts';
import { deleteChannel, removeIfUnused, setChannel } from './viewer-groups.ts';
import { managersOf, viewersOf } from './views.ts';
import type { FollowedAccount, MutableGuild } from './world-state.ts';

/** Events for the accounts that can view a guild's channel, or have MANAGE_CHANNELS in it. */
export const CHANNEL_EVENTS = handlers<GuildHandler>({
  CHANNEL_CREATE: putChannel,
  CHANNEL_UPDATE: putChannel,
  CHANNEL_DELETE: (guild, event) => {
    const receivers = viewers(guild, event);
    if (event.channel_id !== undefined) deleteChannel(guild, event.channel_id);
    return eventTo(receivers);
  },
  MESSAGE_CREATE: (guild, event) => {
    const channel = guild.channels.get(event.channel_id ?? '');
    const id = payloads.textOf(event.payload, 'id');
    if (channel === undefined || id === undefined) return [];
    guild.channels.set(channel.id, withLastMessage(channel, id));
    return eventTo(viewers(guild, event));
  },
  MESSAGE_UPDATE: (guild, event) => eventTo(viewers(guild, event)),
  MESSAGE_DELETE: (guild, event) => {
    const channel = guild.channels.get(event.channel_id ?? '');
    if (channel !== undefined) guild.channels.set(channel.id, afterDeletion(channel, event.payload));
    return eventTo(viewers(guild, event));
  },
  INVITE_CREATE: (guild, event) => eventTo(managers(guild, event)),
  INVITE_DELETE: (guild, event) => eventTo(managers(guild, event)),
});

/**
 * Accounts that keep the view receive the event. Accounts that gain or lose it receive CHANNEL_CREATE or CHANNEL_DELETE
 * instead.
 */
function putChannel<S>(guild: MutableGuild<S>, { type, payload }: LogEvent): readonly Delivery<S>[] {
  const row = payloads.channelOf(payload);
  if (row === undefined) return [];
  const before = guild.viewer_group_by_channel.get(row.id);
  const viewersBefore = before === undefined ? [] : viewersOf(guild, before);
  const after = setChannel(guild, row);
  const viewersAfter = viewersOf(guild, after);
  if (before === after || (before === undefined && type === 'CHANNEL_CREATE')) return eventTo(viewersAfter);
  removeIfUnused(guild, before);
  return [
    ...eventTo(common(viewersAfter, viewersBefore)),
    ...shown(row, without(viewersAfter, viewersBefore)),
    ...hidden(row, without(viewersBefore, viewersAfter)),
  ];
}

function viewers<S>(guild: MutableGuild<S>, { channel_id }: LogEvent): readonly FollowedAccount<S>[] {
  const group = guild.viewer_group_by_channel.get(channel_id ?? '');
  return group === undefined ? [] : viewersOf(guild, group);
}

function managers<S>(guild: MutableGuild<S>, { channel_id }: LogEvent): readonly FollowedAccount<S>[] {
  const channel = guild.channels.get(channel_id ?? '');
  return channel === undefined ? [] : managersOf(guild, channel);
}

function common<T>(some: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others);
  return some.filter((one) => known.has(one));
}

function without<T>(some: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others);
  return some.filter((one) => !known.has(one));
}
