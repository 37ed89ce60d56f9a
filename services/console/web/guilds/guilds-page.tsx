import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { AccountLink, type NamedAccount } from '../parts/account-link.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { QuerySearch } from '../parts/query-search.tsx';
import { query } from '../router/place.ts';
import { countText } from '../text/numbers.ts';

interface NamedGuild extends AdminGuild {
  readonly owner?: NamedAccount | null;
}

/** The guilds, newest first, or those of a search. */
export function GuildsPage() {
  const q = query.value.get('q') ?? '';
  const list = usePages<NamedGuild>('/guilds', { q });
  return (
    <Page title="Guilds">
      <QuerySearch label="Find guilds" hint="An ID, the ID of the owner, or the start of the name." />
      <PagedList
        list={list}
        empty={
          <EmptyState icon="people">{q ? `No guild fits “${q}”.` : 'There is no guild yet.'}</EmptyState>
        }
      >
        {(guilds) => (
          <div class="card">
            <Table caption="Newest first" columns={['Guild', 'State', 'Members', 'Owner', 'ID']}>
              {guilds.map(({ id, name, owner_id, owner, members, disablement }) => (
                <tr key={id}>
                  <td>
                    <IdLink kind="guild" id={id}>
                      <Name text={name} isOneLine />
                    </IdLink>
                  </td>
                  <td>{disablement ? <Badge kind="danger">disabled</Badge> : <Badge>enabled</Badge>}</td>
                  <td class="number">{countText(members)}</td>
                  <td>
                    <AccountLink id={owner_id} account={owner} />
                  </td>
                  <td>
                    <code>{id}</code>
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      </PagedList>
    </Page>
  );
}
