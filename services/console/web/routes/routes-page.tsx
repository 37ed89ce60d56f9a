import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { usePolled } from '@gatehouse/web/shared/api/use-polled.ts';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { hereWith, query } from '../router/place.ts';
import { RecentRequests } from './recent-requests.tsx';
import { RouteRow } from './route-row.tsx';
import { type RouteSort, type RouteStatistics, sortOf, sortRoutes } from './route-statistics.ts';

/** The routes with their rates, errors and latencies. A click on one shows its recent requests. */
export function RoutesPage() {
  const loaded = useLoaded(() => call<{ items: readonly RouteStatistics[] }>('GET', '/routes'), []);
  usePolled(loaded.reload);
  const sort = sortOf(query.value.get('sort'));
  return (
    <Page title="Routes">
      <WhenLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon="list">
              No request came in the last five minutes. If this is wrong, check CONSOLE_METRICS
              (docs/operators.md#the-overview).
            </EmptyState>
          ) : (
            <RouteTable routes={sortRoutes(items, sort)} sort={sort} />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

const COLUMNS: readonly { readonly sort: RouteSort; readonly text: string }[] = [
  { sort: 'route', text: 'Route' },
  { sort: 'rate', text: 'Requests/s' },
  { sort: 'errors', text: 'Errors/s (5xx)' },
  { sort: 'p50_ms', text: 'p50' },
  { sort: 'p99_ms', text: 'p99' },
];

function RouteTable({ routes, sort }: { routes: readonly RouteStatistics[]; sort: RouteSort }) {
  const [open, setOpen] = useState<string>();
  return (
    <div class="card">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1) */}
      <section class="table" aria-label="Routes" tabIndex={0}>
        <table>
          <caption>The last five minutes. Open a route to see its recent requests.</caption>
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th
                  key={column.sort}
                  scope="col"
                  {...(column.sort === sort && {
                    'aria-sort': sort === 'route' ? ('ascending' as const) : ('descending' as const),
                  })}
                >
                  <a href={hereWith({ sort: column.sort })}>{column.text}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {routes.map((route) => (
              <RouteRow
                key={route.route}
                route={route}
                isOpen={route.route === open}
                toggle={() => setOpen(route.route === open ? undefined : route.route)}
              >
                <RecentRequests requests={route.recent} />
              </RouteRow>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
