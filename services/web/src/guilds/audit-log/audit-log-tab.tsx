import type { User } from '@gatehouse/proto/auth';
import type { Channel } from '@gatehouse/proto/chat';
import { useRef } from 'preact/hooks';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Icon } from '../../shared/ui/icon.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { currentView } from '../current-view.ts';
import { callForTab, type TabProps } from '../managed-guild.ts';
import { MoreButton } from '../more-button.tsx';
import { hashOf } from '../route.ts';
import { usePages } from '../use-pages.ts';
import { type AuditEntry, type AuditLogPage, type Names, namesOf } from './entry.ts';
import { EntryRow } from './entry-row.tsx';
import { type Filters, readFilters, writeFilters } from './filters.ts';
import { actionLabels } from './sentence.ts';

const PAGE = 50;

/** An entry with its author, and the names of the page in which it came. */
interface Item {
  readonly entry: AuditEntry;
  readonly author: User | undefined;
  readonly names: Names;
}

/** The entries of the guild's audit log, newest first. */
export function AuditLogTab({ guild }: TabProps) {
  const channels = useLoaded(() => callForTab<Channel[]>('GET', `/guilds/${guild.id}/channels`), [guild.id]);
  return <WhenLoaded loaded={channels}>{(shown) => <AuditLog guild={guild} channels={shown} />}</WhenLoaded>;
}

function AuditLog({ guild, channels }: TabProps & { channels: readonly Channel[] }) {
  const filters = readFilters(currentView.value.part);
  const authors = useRef(new Map<string, User>());
  const list = usePages<Item>(writeFilters(filters), PAGE, async (last) => {
    const parameters = [`limit=${PAGE}`, writeFilters(filters), last && `before=${last.entry.id}`];
    const path = `/guilds/${guild.id}/audit-logs?${parameters.filter(Boolean).join('&')}`;
    const page = await callForTab<AuditLogPage>('GET', path);
    const ids = new Set(page.audit_log_entries.map(({ user_id }) => user_id));
    for (const user of page.users) if (ids.has(user.id)) authors.current.set(user.id, user);
    const names = namesOf(page, channels, guild.roles);
    const users = new Map(page.users.map((user) => [user.id, user]));
    return page.audit_log_entries.map((entry) => ({ entry, author: users.get(entry.user_id), names }));
  });
  return (
    <>
      <FilterFields filters={filters} authors={[...authors.current.values()]} />
      {list.items?.length === 0 && <NothingFound isFiltered={writeFilters(filters) !== ''} />}
      {list.items && list.items.length > 0 && (
        <ul class="card rows entries">
          {list.items.map((item) => (
            <EntryRow key={item.entry.id} {...item} />
          ))}
        </ul>
      )}
      <MoreButton list={list} label={i18n._('Show older entries')} />
    </>
  );
}

/** The authors to choose from are those of the entries that were shown. */
function FilterFields({ filters, authors }: { filters: Filters; authors: readonly User[] }) {
  const apply = (changed: Partial<Filters>) => {
    location.hash = hashOf('audit-log', writeFilters({ ...filters, ...changed }));
  };
  const people = authors.map((user) => ({ value: user.id, text: user.global_name ?? user.username }));
  const isListed = filters.user_id === '' || authors.some(({ id }) => id === filters.user_id);
  return (
    <div class="filters">
      <Select
        label={i18n._('By whom')}
        value={filters.user_id}
        onValue={(user_id) => apply({ user_id })}
        options={[
          { value: '', text: i18n._('Everybody') },
          ...people,
          ...(isListed ? [] : [{ value: filters.user_id, text: filters.user_id }]),
        ]}
      />
      <Select
        label={i18n._('What')}
        value={filters.action_type}
        onValue={(action_type) => apply({ action_type })}
        options={[{ value: '', text: i18n._('Everything') }, ...actionLabels()]}
      />
    </div>
  );
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <div class="card empty">
        <Icon name="list" />
        <h2>{i18n._('Nothing was changed yet')}</h2>
        <p>
          {i18n._('Changes of channels, roles, members, bots and webhooks appear here, with who made them.')}
        </p>
      </div>
    );
  return (
    <div class="card empty">
      <Icon name="search" />
      <h2>{i18n._('No such change')}</h2>
      <p>
        <a class="button" href={hashOf('audit-log')}>
          {i18n._('Show everything')}
        </a>
      </p>
    </div>
  );
}
