import type { Member, Role } from '@gatehouse/proto/chat';
import { Ago } from '../../shared/ago.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { KICK_MEMBERS, MANAGE_ROLES } from '../../shared/permissions.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { AccountPicture } from '../account-picture.tsx';
import type { ManagedGuild } from '../managed-guild.ts';
import { RoleChips } from '../role-chip.tsx';
import { type Actor, rankObstacle, removalObstacle } from './hierarchy.ts';
import { memberName } from './member-name.ts';

interface MemberRowProps {
  readonly member: Member;
  readonly guild: ManagedGuild;
  readonly actor: Actor;
  readonly roles: readonly Role[];
  readonly onRoles: () => void;
  readonly onRemove: () => void;
}

export function MemberRow(props: MemberRowProps) {
  const { member, guild, actor, roles } = props;
  const { user } = member;
  if (!user) return null;
  const name = memberName(member);
  const rank = rankObstacle(guild, actor, member);
  return (
    <li>
      <AccountPicture user={user} />
      <div class="member-words">
        <span class="member-name">
          <strong>
            <Name text={name} />
          </strong>
          {name !== user.username && <bdi class="quiet">{user.username}</bdi>}
          {user.bot && <Badge>{i18n._('Bot')}</Badge>}
          {user.id === guild.owner_id && <Badge>{i18n._('Owner')}</Badge>}
          {user.id === actor.id && <Badge>{i18n._('You')}</Badge>}
        </span>
        <RoleChips
          roles={roles.filter(({ id }) => member.roles.includes(id))}
          label={i18n._('Roles of {name}', { name })}
        />
        <span class="quiet">
          <Trans id="Joined {time}" values={{ time: <Ago time={member.joined_at} /> }} />
        </span>
        {rank === 'rank' && (
          <span class="quiet">
            {i18n._('You may not change this member: their highest role is not below yours.')}
          </span>
        )}
      </div>
      {rank === undefined && <Actions {...props} name={name} />}
    </li>
  );
}

function Actions({ member, guild, actor, name, onRoles, onRemove }: MemberRowProps & { name: string }) {
  const mayAssign = (actor.permissions & MANAGE_ROLES) !== 0n;
  const mayRemove = (actor.permissions & KICK_MEMBERS) !== 0n;
  return (
    <div class="member-actions">
      {mayAssign && (
        <button type="button" aria-label={i18n._('Roles of {name}', { name })} onClick={onRoles}>
          {i18n._('Roles')}
        </button>
      )}
      {mayRemove && removalObstacle(guild, actor, member) === undefined && (
        <button
          type="button"
          class="danger"
          aria-label={i18n._('Remove {name}', { name })}
          onClick={onRemove}
        >
          {i18n._('Remove')}
        </button>
      )}
    </div>
  );
}
