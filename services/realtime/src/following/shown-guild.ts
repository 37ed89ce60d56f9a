import type { ShownGuild } from '../payloads/guild-payload.ts';
import { channelsVisibleTo, type GuildPlace, memberOf } from '../world/world.ts';
import type { Audience } from '../sessions/audience.ts';

/** A guild as an account may see it. */
export function shownGuild(guild: GuildPlace<Audience>, account_id: string): ShownGuild {
  const member = memberOf(guild, account_id);
  return {
    row: guild.row,
    roles: guild.roles,
    channels: channelsVisibleTo(guild, account_id),
    members: member === undefined ? [] : [member],
  };
}
