import type { DeniedIdentity } from '@gatehouse/proto/ratelimit-admin';
import { usePolled } from '@gatehouse/web/shared/api/use-polled.ts';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { pageOfIdentity } from '../parts/hrefs.ts';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { ShownRows } from '../parts/shown-rows.tsx';
import { Last, Until } from '../parts/when.tsx';
import { countText } from '../text/numbers.ts';

const RELOAD_EVERY_MS = 10_000;

/** The identities that were denied most often in the last ten minutes. `fingerprint` marks one. */
export function DeniedList({ fingerprint }: { fingerprint: string }) {
  const list = usePages<DeniedIdentity>('/limits/denied', {});
  usePolled(list.reload, { every_ms: RELOAD_EVERY_MS });
  return (
    <>
      <p class="quiet">
        The 1,000 identities with the most denials in the last ten minutes. While a wait lasts, an edge denies
        by itself; these denials are not counted. Addresses, names and credentials are hashed. To find one
        that you know, look it up: its page shows its fingerprint, and leads back to its row here.
      </p>
      <PagedList
        list={list}
        empty={<EmptyState icon="people">Nobody was limited in the last ten minutes.</EmptyState>}
      >
        {(identities) => <DeniedTable identities={identities} marked={fingerprint} />}
      </PagedList>
    </>
  );
}

function DeniedTable({ identities, marked }: { identities: readonly DeniedIdentity[]; marked: string }) {
  const found = identities.filter((one) => one.fingerprint === marked);
  const others = identities.filter((one) => one.fingerprint !== marked);
  return (
    <div class="card">
      {marked !== '' && (
        <p role="status" class="notice">
          {found.length > 0 ? 'The marked rows have' : 'No row has'} the fingerprint <code>{marked}</code>.
        </p>
      )}
      <ShownRows rows={[...found, ...others]}>
        {(shown) => (
          <Table caption="Most denied first" columns={['Who', 'Bucket', 'Denials', 'Limited', 'Last denied']}>
            {shown.map((one) => (
              <tr key={`${one.bucket} ${one.fingerprint}`} class={one.fingerprint === marked ? 'marked' : ''}>
                <td class="identity">
                  <Who one={one} />
                </td>
                <td>
                  <code>{one.bucket}</code>
                </td>
                <td class="number">{countText(one.denials)}</td>
                <td>
                  <Until ms={one.denied_until_ms} />
                </td>
                <td>
                  <Last ms={one.last_denied_at_ms} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </ShownRows>
    </div>
  );
}

function Who({ one: { identity, kind, fingerprint } }: { one: DeniedIdentity }) {
  if (!identity)
    return (
      <>
        {kind}, hashed <code>{fingerprint}</code>
      </>
    );
  const page = pageOfIdentity(identity);
  return (
    <>
      <IdLink kind="identity" id={identity} />
      {page && (
        <>
          {' · '}
          <a href={page.href}>{page.text}</a>
        </>
      )}
    </>
  );
}
