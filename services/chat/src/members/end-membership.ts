import type { PoolClient } from 'pg';
import { guildDeleted, memberRemoved } from '../events/event.ts';
import { insertEvents } from '../store/events/events.ts';
import { deleteMember } from '../store/members/memberships.ts';

/** Ends a membership, if there is one, in a locked guild, with events for the guild and the former member. */
export async function endMembership(tx: PoolClient, guildId: string, accountId: string): Promise<void> {
  const member_count = await deleteMember(tx, guildId, accountId);
  if (member_count === undefined) return;
  await insertEvents(tx, [memberRemoved(guildId, accountId, member_count), guildDeleted(guildId, accountId)]);
}
