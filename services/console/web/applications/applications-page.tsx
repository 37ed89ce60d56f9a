import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { AccountLink } from '../parts/account-link.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { QuerySearch } from '../parts/query-search.tsx';
import { When } from '../parts/when.tsx';
import { query } from '../router/place.ts';
import { ApplicationState, type NamedApplication } from './application-state.tsx';

/** The applications, newest first, or those of a search. */
export function ApplicationsPage() {
  const q = query.value.get('q') ?? '';
  const list = usePages<NamedApplication>('/applications', { q });
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
            <Table caption="Newest first" columns={['Application', 'State', 'Owner', 'ID', 'Created']}>
              {applications.map((application) => (
                <tr key={application.id}>
                  <td>
                    <IdLink kind="application" id={application.id}>
                      <Name text={application.name} isOneLine />
                    </IdLink>
                  </td>
                  <td>
                    <ApplicationState application={application} />
                  </td>
                  <td>
                    <AccountLink id={application.owner_id} account={application.owner} />
                  </td>
                  <td>
                    <code>{application.id}</code>
                  </td>
                  <td>
                    <When ms={application.created_at_ms} />
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
