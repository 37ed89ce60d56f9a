import { guildPermissions } from '@gatehouse/chat-client/permissions';
import type { Guild } from '@gatehouse/proto/chat';
import type { GuildOfMember } from '../store/guilds/guild-lists.ts';

/** A guild in the list of a member's guilds, with the member's permissions. */
export function listedGuild({ held_role_ids, ...guild }: GuildOfMember, account_id: string): Guild {
  const held = new Set([guild.id, ...held_role_ids]);
  const permissions = guildPermissions({
    guild_id: guild.id,
    owner_id: guild.owner_id,
    account_id,
    is_member: true,
    roles: guild.roles.filter(({ id }) => held.has(id)),
  });
  return { ...guild, permissions: String(permissions) };
}
