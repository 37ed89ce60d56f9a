import type { PoolClient } from 'pg';
import { guildCreated, inviteDeleted, memberAdded } from '../events/event.ts';
import { enforceGuildLimit } from '../guilds/guild-limit.ts';
import { requireMember } from '../guilds/require-member.ts';
import { insertEvents } from '../store/events/events.ts';
import { findGuildRows } from '../store/guilds/guild-states.ts';
import { type InviteRow, useInvite } from '../store/invites.ts';
import { insertMember } from '../store/members/memberships.ts';

/**
 * Adds an account to a locked guild, and returns the invite after its use. Changes nothing for a member.
 *
 * @throws BAD_REQUEST
 */
export async function joinGuild(tx: PoolClient, invite: InviteRow, account_id: string): Promise<InviteRow> {
  const { code, guild_id, guild } = invite;
  const member_count = await insertMember(tx, guild_id, account_id);
  if (member_count === undefined) return invite;
  await enforceGuildLimit(tx, account_id);
  await useInvite(tx, code);
  const member = await requireMember(tx, guild_id, account_id);
  const uses = invite.uses + 1;
  const state = await findGuildRows(tx, guild_id, member);
  const events = [memberAdded(guild_id, member, member_count), guildCreated(guild_id, member, state)];
  await insertEvents(tx, uses === invite.max_uses ? [...events, inviteDeleted(invite)] : events);
  return { ...invite, uses, guild: { ...guild, member_count } };
}
