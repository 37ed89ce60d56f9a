import type { VisibleGuild } from '../payloads/guild-payload.ts';
import { memberRowIn } from '../world/members.ts';
import { channelsVisibleTo } from '../world/views.ts';
import { rolesOf } from '../world/world.ts';
import type { FollowedGuild } from '../world/world-state.ts';

/** The guild as one of its accounts sees it; undefined for an account that is not a member. */
export function visibleGuild<S>(guild: FollowedGuild<S>, account_id: string): VisibleGuild | undefined {
  const own = memberRowIn(guild, account_id);
  if (own === undefined) return undefined;
  const channels = channelsVisibleTo(guild, account_id);
  return { row: guild.row, roles: rolesOf(guild), channels, members: [own] };
}
