import type { AccountPlace, Audience, GuildPlace } from '../../../services/realtime/src/world/places.ts';
import { canView } from '../../../services/realtime/src/world/views.ts';

export {
  canView,
  canViewAlone,
  canViewTogether,
  channelsVisibleTo,
  everyoneIn,
  managersOf,
} from '../../../services/realtime/src/world/views.ts';

/** Asked of each member for each event. What members with the same roles may do is still known. */
export function viewersOf<S>(guild: GuildPlace<S>, audience: Audience<S>): readonly AccountPlace<S>[] {
  const members = [...guild.members.values()];
  return members.filter((member) => canView(guild, audience, member)).map(({ account }) => account);
}
