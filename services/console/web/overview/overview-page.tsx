import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Tabs } from '@gatehouse/web/shared/ui/tabs.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { me } from '../api/me.ts';
import { Page } from '../frame/page.tsx';
import { Unavailable } from '../parts/unavailable.tsx';
import { hereWith, query } from '../router/place.ts';
import { Noisy } from './noisy.tsx';
import { Plots } from './plots.tsx';
import { Replicas } from './replicas.tsx';
import { Tiles } from './tiles.tsx';
import { useOverview } from './use-overview.ts';
import { WINDOWS, type WindowName, windowOf } from './windows.ts';
import './overview.css';

/** What runs now, who is noisy, and how the window went. */
export function OverviewPage() {
  const chosen = windowOf(query.value.get('window'));
  const { loaded, isLive } = useOverview(chosen);
  return (
    <Page title="Overview" actions={<Liveness isLive={isLive} window={chosen} />}>
      <NoFactor />
      <WhenLoaded loaded={loaded}>
        {(overview) => (
          <>
            <Unavailable services={overview.unavailable} />
            {overview.notices?.map((text) => (
              <p key={text} class="notice warning">
                {text}
              </p>
            ))}
            <Tiles overview={overview} />
            <Noisy overview={overview} />
            {overview.prometheus && <WindowTabs chosen={chosen} />}
            <Plots overview={overview} window={chosen} />
            <Replicas replicas={overview.replicas} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** The operator `local` of a new deployment begins without one. */
function NoFactor() {
  const known = me.value;
  if (typeof known !== 'object' || known.has_factor || known.by !== 'session') return null;
  return (
    <p class="notice warning">
      <bdi>{known.name}</bdi> has no second factor yet. <a href="/enrol">Set one up</a>
    </p>
  );
}

function Liveness({ isLive, window }: { isLive: boolean; window: WindowName }) {
  if (window !== '1h') return <Badge kind="neutral">every minute</Badge>;
  return isLive ? <Badge>live</Badge> : <Badge kind="warning">connecting…</Badge>;
}

function WindowTabs({ chosen }: { chosen: WindowName }) {
  const names = Object.keys(WINDOWS) as WindowName[];
  return (
    <Tabs
      label="Window"
      tabs={names.map((name) => ({
        href: hereWith({ window: name === '1h' ? '' : name }),
        text: WINDOWS[name].text,
        isCurrent: name === chosen,
      }))}
    />
  );
}
