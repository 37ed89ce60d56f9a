import { i18n } from '../../shared/i18n/i18n.ts';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { currentView } from '../current-view.ts';
import type { TabProps } from '../managed-guild.ts';
import { hashOf } from '../route.ts';
import { useActor } from '../use-actor.ts';
import { Members } from './members.tsx';
import { Roles } from './roles.tsx';

/** Two parts, the members and the roles, each with its own URL. */
export function MembersTab({ guild }: TabProps) {
  const isRoles = currentView.value.part === 'roles';
  const actor = useActor(guild);
  return (
    <>
      <nav class="parts" aria-label={i18n._('Members and roles')}>
        <a href={hashOf('members')} {...(!isRoles && { 'aria-current': 'page' })}>
          {i18n._('Members')}
        </a>
        <a href={hashOf('members', 'roles')} {...(isRoles && { 'aria-current': 'page' })}>
          {i18n._('Roles')}
        </a>
      </nav>
      <WhenLoaded loaded={actor}>
        {(shown) =>
          isRoles ? <Roles guild={guild} actor={shown} /> : <Members guild={guild} actor={shown} />
        }
      </WhenLoaded>
    </>
  );
}
