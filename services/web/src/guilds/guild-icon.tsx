import { iconUrl } from '../shared/icon-url.ts';
import { Avatar } from '../shared/ui/avatar.tsx';
import type { ManagedGuild } from './managed-guild.ts';

/** The icon of a guild whose name stands beside it. */
export function GuildIcon({ guild }: { guild: Pick<ManagedGuild, 'id' | 'name' | 'icon'> }) {
  return (
    <span class="guild-icon">
      <Avatar name={guild.name} src={iconUrl(guild.id, guild.icon)} />
    </span>
  );
}
