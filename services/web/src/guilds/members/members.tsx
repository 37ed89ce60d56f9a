import type { Member } from '@gatehouse/proto/chat';
import { useEffect, useState } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { KICK_MEMBERS, MANAGE_ROLES } from '../../shared/permissions.ts';
import { Field } from '../../shared/ui/field.tsx';
import { Icon } from '../../shared/ui/icon.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { callForTab, type ManagedGuild } from '../managed-guild.ts';
import { MoreButton } from '../more-button.tsx';
import { usePages } from '../use-pages.ts';
import { type Actor, givableRoles } from './hierarchy.ts';
import { memberName } from './member-name.ts';
import { MemberRow } from './member-row.tsx';
import { RemoveMember } from './remove-member.tsx';
import { RolesOfMember } from './roles-of-member.tsx';

const PAGE = 50;
const SEARCH_DELAY_MS = 250;
const LONGEST_QUERY = 100;

type Opened = { readonly dialog: 'roles' | 'removal'; readonly member: Member };

/** The members of a guild, with what the actor may do to each. */
export function Members({ guild, actor }: { guild: ManagedGuild; actor: Actor }) {
  const [typed, setTyped] = useState('');
  const query = useSettled([...typed.trim()].slice(0, LONGEST_QUERY).join(''));
  const list = usePages<Member>(query, PAGE, (last) =>
    callForTab('GET', pagePath(guild.id, query, last?.user?.id)),
  );
  const [opened, setOpened] = useState<Opened | undefined>();
  const close = () => setOpened(undefined);
  const roles = givableRoles(guild);
  const show = (member: Member) =>
    list.change((known) => known.map((each) => (each.user?.id === member.user?.id ? member : each)));
  const saved = (member: Member, undo: () => Promise<Member>) => {
    show(member);
    const text = i18n._('The roles of {name} are saved.', { name: memberName(member) });
    showToast(text, { undo: async () => show(await undo()) });
    close();
  };
  const removed = (member: Member) => {
    list.change((known) => known.filter(({ user }) => user?.id !== member.user?.id));
    showToast(i18n._('{name} was removed from the guild.', { name: memberName(member) }));
    close();
    document.getElementById('main')?.focus();
  };
  return (
    <>
      <Field label={i18n._('Search by name')} value={typed} onValue={setTyped} />
      <OwnLimits actor={actor} />
      {list.items?.length === 0 && <NobodyFound query={query} onClear={() => setTyped('')} />}
      {list.items && list.items.length > 0 && (
        <ul class="card rows members">
          {list.items.map((member) => (
            <MemberRow
              key={member.user?.id}
              {...{ member, guild, actor, roles }}
              onRoles={() => setOpened({ dialog: 'roles', member })}
              onRemove={() => setOpened({ dialog: 'removal', member })}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list} label={i18n._('Show more members')} />
      {opened?.dialog === 'roles' && (
        <RolesOfMember {...{ guild, actor, roles, member: opened.member }} onClose={close} onSaved={saved} />
      )}
      {opened?.dialog === 'removal' && (
        <RemoveMember
          {...{ guild, member: opened.member }}
          onClose={close}
          onRemoved={() => removed(opened.member)}
        />
      )}
    </>
  );
}

function pagePath(guild_id: string, query: string, after: string | undefined): string {
  const parameters = new URLSearchParams({ limit: String(PAGE) });
  if (after !== undefined) parameters.set('after', after);
  if (query !== '') parameters.set('query', query);
  return `/guilds/${guild_id}/members?${parameters}`;
}

/** What the actor's permissions do not allow. */
function OwnLimits({ actor: { permissions } }: { actor: Actor }) {
  if ((permissions & MANAGE_ROLES) === 0n)
    return (
      <p class="quiet">{i18n._('You may not change roles: that needs the permission “Manage roles”.')}</p>
    );
  if ((permissions & KICK_MEMBERS) === 0n)
    return (
      <p class="quiet">{i18n._('You may not remove members: that needs the permission “Remove members”.')}</p>
    );
  return null;
}

function NobodyFound({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <div class="card empty">
      <Icon name="search" />
      <h2>{i18n._('Nobody found')}</h2>
      <p>
        <Trans
          id="No member has “{query}” in a nickname, display name or user name."
          values={{ query: <bdi>{query}</bdi> }}
        />
      </p>
      <button type="button" onClick={onClear}>
        {i18n._('Show all members')}
      </button>
    </div>
  );
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
