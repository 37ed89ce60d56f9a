import type { AdminAccount } from '@gatehouse/proto/auth-admin';
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
import { AccountState } from './account-state.tsx';

/** Finds accounts. */
export function AccountsPage() {
  const q = query.value.get('q') ?? '';
  return (
    <Page title="Accounts">
      <QuerySearch
        label="Find accounts"
        hint="An ID, an e-mail address, the start of a user name, or the address of a live session."
      />
      {q === '' ? (
        <EmptyState icon="search">
          Accounts appear here once you search. A support request often names the user name or the e-mail
          address.
        </EmptyState>
      ) : (
        <FoundAccounts q={q} />
      )}
    </Page>
  );
}

function FoundAccounts({ q }: { q: string }) {
  const list = usePages<AdminAccount>('/accounts', { q });
  return (
    <PagedList list={list} empty={<EmptyState icon="people">No account fits “{q}”.</EmptyState>}>
      {(accounts) => (
        <div class="card">
          <Table caption="Newest first" columns={['Account', 'E-mail address', 'State', 'ID', 'Created']}>
            {accounts.map((account) => (
              <tr key={account.id}>
                <td>
                  <IdLink kind="account" id={account.id}>
                    <Name text={account.username} isOneLine />
                  </IdLink>
                </td>
                <td>{account.email ?? '–'}</td>
                <td>
                  <AccountState account={account} />
                </td>
                <td>
                  <code>{account.id}</code>
                </td>
                <td>
                  <When ms={account.created_at_ms} />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </PagedList>
  );
}
