import type { Deps } from '../deps.ts';
import { guildDeleted, memberRemoved } from '../events/event.ts';
import { eventTransaction } from '../events/event-transaction.ts';
import { insertEvents } from '../store/events/events.ts';
import { lockGuild } from '../store/guilds/guild-lock.ts';
import { readMembership } from '../store/members/members.ts';
import { deleteMember } from '../store/members/memberships.ts';

/** Ends a membership, if there is one, without checking permissions. The owner stays, since a guild needs one. */
export function endMember(
  deps: Pick<Deps, 'db' | 'eventsWritten'>,
  guildId: string,
  accountId: string,
): Promise<void> {
  return eventTransaction(deps, async (tx) => {
    if (!(await lockGuild(tx, guildId))) return;
    const membership = await readMembership(tx, guildId, accountId);
    if (membership?.owner_id === accountId) return;
    const member_count = await deleteMember(tx, guildId, accountId);
    if (member_count === undefined) return;
    await insertEvents(tx, [
      memberRemoved(guildId, accountId, member_count),
      guildDeleted(guildId, accountId),
    ]);
  });
}
