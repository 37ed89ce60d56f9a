import { holds, Permission } from '@gatehouse/chat-client/permissions';
import type { Pool, PoolClient } from 'pg';
import type { ChannelAccess } from '../guilds/access.ts';
import { findMentionedRoles } from '../store/roles.ts';
import type { Mentions } from './mentions.ts';
import type { Notified } from './message-edit.ts';

/**
 * The accounts and roles that an account's mentions notify, by its permissions in the channel. `mention_ids` are the
 * accounts that exist.
 */
export async function notifiedMentions(
  db: Pool | PoolClient,
  { role_ids, everyone }: Mentions,
  { guild_id, permissions }: Pick<ChannelAccess, 'guild_id' | 'permissions'>,
  mention_ids: readonly string[],
): Promise<Notified> {
  const mayMentionAll = holds(permissions, Permission.MENTION_EVERYONE);
  const mention_role_ids =
    guild_id === null ? [] : await findMentionedRoles(db, guild_id, role_ids, mayMentionAll);
  return { mention_ids, mention_role_ids, mention_everyone: everyone && mayMentionAll };
}
