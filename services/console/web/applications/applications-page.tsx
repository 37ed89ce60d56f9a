import type { AdminApplication } from '@gatehouse/proto/oauth2-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { QuerySearch } from '../parts/query-search.tsx';
import { When } from '../parts/when.tsx';
import { query } from '../router/place.ts';

/** The applications, newest first, or those of a search. */
export function ApplicationsPage() {
  const q = query.value.get('q') ?? '';
  const list = usePages<AdminApplication>('/applications', { q });
  return (
    <Page title="Applications">
      <QuerySearch label="Find applications" hint="An ID, the ID of the owner, or the start of the name." />
      <PagedList
        list={list}
        empty={
          <EmptyState icon="apps">
            {q ? `No application fits “${q}”.` : 'There is no application yet.'}
          </EmptyState>
        }
      >
        {(applications) => (
          <div class="card">
            <Table caption="Newest first" columns={['Application', 'State', 'Owner', 'ID', 'Made']}>
              {applications.map(({ id, name, owner_id, created_at_ms, disablement }) => (
                <tr key={id}>
                  <td>
                    <IdLink kind="application" id={id}>
                      <Name text={name} isOneLine />
                    </IdLink>
                  </td>
                  <td>{disablement ? <Badge kind="danger">disabled</Badge> : <Badge>enabled</Badge>}</td>
                  <td>
                    <IdLink kind="account" id={owner_id} />
                  </td>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td>
                    <When ms={created_at_ms} />
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
