import type { Override } from '@gatehouse/proto/ratelimit-admin';
import { Button } from '@gatehouse/web/shared/ui/button.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { useState } from 'preact/hooks';
import { may } from '../api/me.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedList } from '../parts/paged-list.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { OverrideTable } from './override-table.tsx';

/** All overrides. */
export function OverrideList() {
  const list = usePages<Override>('/limits/overrides', {}, 'after');
  const [isSetting, setSetting] = useState(false);
  const offer = may('limit.override') && <Button onClick={() => setSetting(true)}>Set an override</Button>;
  return (
    <>
      {list.items !== undefined && list.items.length > 0 && offer && <p class="actions above">{offer}</p>}
      <PagedList
        list={list}
        empty={
          <EmptyState icon="list" action={offer}>
            An override gives one identity another limit, or none, for a time. There is none now.
          </EmptyState>
        }
      >
        {(overrides) => (
          <div class="card">
            <OverrideTable overrides={overrides} onDone={list.reload} />
          </div>
        )}
      </PagedList>
      {isSetting && <OverrideDialog identity="" onClose={() => setSetting(false)} onDone={list.reload} />}
    </>
  );
}
