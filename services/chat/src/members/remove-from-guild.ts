import { type EventDeps, eventTransaction } from '../events/event-transaction.ts';
import { lockGuild } from '../store/guilds/guild-lock.ts';
import { findMembership } from '../store/members/members.ts';
import { endMembership } from './end-membership.ts';

/**
 * Removes an account from a guild without checking permissions, from a disabled one too. The owner stays, since a guild
 * needs one.
 */
export function removeFromGuild(deps: EventDeps, guildId: string, accountId: string): Promise<void> {
  return eventTransaction(deps, async (tx) => {
    if ((await lockGuild(tx, guildId)) === undefined) return;
    const membership = await findMembership(tx, guildId, accountId);
    if (membership?.owner_id !== accountId) await endMembership(tx, guildId, accountId);
  });
}
