import { type Overwrite, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { Audience, OpenGuild } from './places.ts';

/** Puts a channel into the guild, or another row in its place. The audience it had is to be ended (endIfUnused). */
export function setChannel<S>(guild: OpenGuild<S>, row: ChannelRow): Audience<S> {
  guild.channels.set(row.id, row);
  const before = guild.audience_of.get(row.id);
  const audience = audienceFor(guild, row.permission_overwrites);
  if (before === audience) return audience;
  guild.audience_of.set(row.id, audience);
  audience.channels++;
  if (before !== undefined) before.channels--;
  return audience;
}

export function deleteChannel<S>(guild: OpenGuild<S>, id: string): void {
  const audience = guild.audience_of.get(id);
  guild.channels.delete(id);
  guild.audience_of.delete(id);
  if (audience === undefined) return;
  audience.channels--;
  endIfUnused(guild, audience);
}

/** Ends an audience that has lost its last channel. */
export function endIfUnused<S>(guild: OpenGuild<S>, audience: Audience<S> | undefined): void {
  if (audience?.channels === 0) guild.audiences.delete(audience.key);
}

function audienceFor<S>(guild: OpenGuild<S>, all: readonly Overwrite[]): Audience<S> {
  const overwrites = all.filter(isAboutViewing);
  const key = overwrites.map(({ id, type, allow, deny }) => `${id} ${type} ${allow} ${deny}`).join();
  const found = guild.audiences.get(key);
  if (found !== undefined) return found;
  const own = new Set(overwrites.filter(({ type }) => type === 1).map(({ id }) => id));
  const audience = { key, overwrites, own, views: new Map(), channels: 0, viewers: undefined };
  guild.audiences.set(key, audience);
  return audience;
}

/** Each bit is decided by the overwrites that have it, and no other. */
function isAboutViewing({ allow, deny }: Overwrite): boolean {
  return ((BigInt(allow) | BigInt(deny)) & Permission.VIEW_CHANNEL) !== 0n;
}
