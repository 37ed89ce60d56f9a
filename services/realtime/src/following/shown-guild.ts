import type { ShownGuild } from '../payloads/guild-payload.ts';
import { memberOf } from '../world/members.ts';
import { channelsVisibleTo } from '../world/views.ts';
import { rolesOf } from '../world/world.ts';
import type { FollowedGuild } from '../world/world-state.ts';

/** A guild as an account sees it. Undefined: it is not in it. */
export function shownGuild<S>(guild: FollowedGuild<S>, account_id: string): ShownGuild | undefined {
  const own = memberOf(guild, account_id);
  if (own === undefined) return undefined;
  const channels = channelsVisibleTo(guild, account_id);
  return { row: guild.row, roles: rolesOf(guild), channels, members: [own] };
}
