import type { Guild } from '@gatehouse/proto/chat';
import { ADMINISTRATOR, ALL_PERMISSIONS, MANAGE_GUILD, readPermissions } from '../shared/permissions.ts';

/** The members of a guild in GET /users/@me/guilds that this page uses. */
export type ListedGuild = Pick<Guild, 'id' | 'name' | 'owner_id' | 'permissions'>;

/** The guilds that an account may install bots into (docs/oauth2.md#bot-installation). */
export function installable<G extends ListedGuild>(guilds: readonly G[], account_id: string): G[] {
  return guilds.filter((guild) => (permissionsOf(guild, account_id) & MANAGE_GUILD) !== 0n);
}

/** The permissions that an account has in a guild, and so can give to a bot. Owners and administrators have all. */
export function permissionsOf(guild: ListedGuild, account_id: string): bigint {
  if (guild.owner_id === account_id) return ALL_PERMISSIONS;
  const permissions = readPermissions(guild.permissions ?? '') ?? 0n;
  return (permissions & ADMINISTRATOR) === 0n ? permissions : ALL_PERMISSIONS;
}
