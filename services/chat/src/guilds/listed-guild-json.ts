import { guildPermissions } from '@gatehouse/chat-client/permissions';
import type { GuildOfMember } from '../store/guilds/guild-lists.ts';

/** JSON of a guild in the list of a member's guilds, with the member's permissions: a Guild of the contract. */
export function listedGuildJson(guild: GuildOfMember, account_id: string): string {
  const { id, name, icon, owner_id, features, roles, member_count } = guild;
  const start = JSON.stringify({ id, name, icon, owner_id, features: features ?? [] }).slice(0, -1);
  return `${start},"roles":[${roles}],"member_count":${member_count},"permissions":"${permissionsOf(guild, account_id)}"}`;
}

/** The roles are two here, @everyone and all others together: only their permissions count. */
function permissionsOf(guild: GuildOfMember, account_id: string): bigint {
  const { id, owner_id, everyone_permissions, role_permissions } = guild;
  return guildPermissions({
    guild_id: id,
    owner_id,
    account_id,
    is_member: true,
    roles: [everyone_permissions, role_permissions ?? '0'].map((permissions) => ({
      id,
      position: 0,
      permissions,
    })),
  });
}
