import type { Role } from '@gatehouse/proto/chat';
import { i18n } from '../../shared/i18n/i18n.ts';
import type { ManagedGuild } from '../managed-guild.ts';
import { PermissionWords } from '../permission-words.tsx';
import { RoleColour } from '../role-chip.tsx';
import type { Actor } from './hierarchy.ts';

/** The roles of a guild, the highest first, with their permissions in words. */
export function Roles({ guild, actor }: { guild: ManagedGuild; actor: Actor }) {
  return (
    <>
      <p class="quiet">
        {i18n._('Higher roles come first. Members may give and take only roles below their own highest one.')}
      </p>
      <ul class="card rows roles">
        {guild.roles.toReversed().map((role) => (
          <RoleRow key={role.id} role={role} isEveryone={role.id === guild.id} actor={actor} />
        ))}
      </ul>
    </>
  );
}

function RoleRow({ role, isEveryone, actor }: { role: Role; isEveryone: boolean; actor: Actor }) {
  return (
    <li>
      <RoleColour color={role.color} />
      <div class="member-words">
        <span class="member-name">
          <strong>
            <bdi>{role.name}</bdi>
          </strong>
          {isEveryone && <span class="badge">{i18n._('Every member has it')}</span>}
          {!isEveryone && actor.highest <= role.position && (
            <span class="badge warning">{i18n._('Not below your highest role')}</span>
          )}
        </span>
        <PermissionWords permissions={role.permissions} />
      </div>
    </li>
  );
}
