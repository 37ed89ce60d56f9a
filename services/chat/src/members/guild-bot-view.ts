import { userOrDeleted } from '@gatehouse/auth-client/users';
import { guildPermissions, type Membership } from '@gatehouse/chat-client/permissions';
import type { User } from '@gatehouse/proto/auth';
import type { GuildBot } from '@gatehouse/proto/chat';
import type { GuildBotRow } from '../store/members/guild-bots.ts';

/** A bot of a guild as clients see it. */
export function viewGuildBot(
  { account_id, inviter_id, joined_at, role_ids, permissions }: GuildBotRow,
  { guild_id, owner_id }: Pick<Membership, 'guild_id' | 'owner_id'>,
  users: ReadonlyMap<string, User>,
): GuildBot {
  // All its roles count as one: only their permissions matter.
  const roles = [{ id: guild_id, position: 0, permissions }];
  return {
    user: userOrDeleted(users, account_id),
    installed_by: users.get(inviter_id) ?? null,
    installed_at: joined_at,
    roles: [...role_ids],
    permissions: String(guildPermissions({ guild_id, owner_id, account_id, is_member: true, roles })),
  };
}
