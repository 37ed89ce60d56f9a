import type { Member, Role } from '@gatehouse/proto/chat';
import { useState } from 'preact/hooks';
import { useAction } from '../../shared/api/use-action.ts';
import { formatList } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { callForTab, type ManagedGuild } from '../managed-guild.ts';
import { RoleChip } from '../role-chip.tsx';
import { type Actor, type RoleObstacle, roleObstacle } from './hierarchy.ts';
import { memberName } from './member-name.ts';

/** Gives and takes roles of a member. Those that the actor may not change are disabled, with the reason. */
export function RolesOfMember(props: {
  guild: ManagedGuild;
  actor: Actor;
  member: Member;
  roles: readonly Role[];
  onClose: () => void;
  /** `undo` gives back the roles of before. */
  onSaved: (member: Member, undo: () => Promise<Member>) => void;
}) {
  const { guild, actor, member, roles, onClose, onSaved } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(member.roles));
  const action = useAction(async () => {
    const held = new Set(member.roles);
    const changed = await changeRoles(guild, member, held, chosen);
    onSaved(changed, () => changeRoles(guild, member, chosen, held));
  });
  return (
    <Dialog title={i18n._('Roles of {name}', { name: memberName(member) })} onClose={onClose}>
      <Form action={action} submit={i18n._('Save')} onCancel={onClose}>
        {roles.length === 0 && <p>{i18n._('This guild has no roles that could be given.')}</p>}
        <ul class="role-boxes" aria-label={i18n._('Roles')}>
          {roles.map((role) => {
            const obstacle = roleObstacle(actor, role, member.roles.includes(role.id));
            return (
              <li key={role.id}>
                <Checkbox
                  label={
                    <>
                      <RoleChip role={role} />
                      {obstacle && <span class="quiet">{obstacleText(obstacle)}</span>}
                    </>
                  }
                  checked={chosen.has(role.id)}
                  disabled={obstacle !== undefined}
                  onChecked={(isChosen) =>
                    setChosen(
                      isChosen ? chosen.union(new Set([role.id])) : chosen.difference(new Set([role.id])),
                    )
                  }
                />
              </li>
            );
          })}
        </ul>
      </Form>
    </Dialog>
  );
}

/** Gives and takes only the roles that differ: others may change roles at the same time. Returns the changed member. */
async function changeRoles(
  guild: ManagedGuild,
  member: Member,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): Promise<Member> {
  const path = `/guilds/${guild.id}/members/${member.user?.id}`;
  for (const id of after.difference(before)) await callForTab('PUT', `${path}/roles/${id}`);
  for (const id of before.difference(after)) await callForTab('DELETE', `${path}/roles/${id}`);
  return callForTab<Member>('GET', path);
}

function obstacleText(obstacle: RoleObstacle): string {
  if (obstacle.why === 'rank') return i18n._('Not below your highest role');
  return i18n._('Has permissions that you do not have: {names}', { names: formatList(obstacle.names) });
}
