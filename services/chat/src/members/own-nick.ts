import { missingPermissions } from '../errors.ts';
import { guildPermissions, holds, type Membership, Permission } from '../guilds/permissions.ts';

/** @throws MISSING_PERMISSIONS unless the account may change its own nick */
export function requireOwnNick(membership: Membership): void {
  const permissions = guildPermissions(membership);
  if (holds(permissions, Permission.CHANGE_NICKNAME)) return;
  if (!holds(permissions, Permission.MANAGE_NICKNAMES)) throw missingPermissions();
}
