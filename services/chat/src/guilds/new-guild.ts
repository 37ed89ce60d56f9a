import { DEFAULT_EVERYONE_PERMISSIONS } from '@gatehouse/chat-client/permissions';
import type { Guild, Role } from '@gatehouse/proto/chat';

/** A new guild with its owner, and an @everyone role with the guild's ID. */
export function newGuild(id: string, name: string, owner_id: string): { guild: Guild; everyone: Role } {
  const everyone: Role = {
    id,
    name: '@everyone',
    color: 0,
    position: 0,
    hoist: false,
    mentionable: false,
    permissions: String(DEFAULT_EVERYONE_PERMISSIONS),
  };
  const guild = { id, name, icon: null, owner_id, features: [], roles: [everyone], member_count: 1 };
  return { guild, everyone };
}
