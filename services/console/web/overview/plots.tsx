import { MAX_SERIES } from '../charts/colours.ts';
import { type Meter, Meters } from '../charts/meters.tsx';
import { Plot } from '../charts/plot.tsx';
import { topSeries } from '../charts/series.ts';
import { durationText, rateText } from '../text/numbers.ts';
import type { Overview, Pool } from './snapshot.ts';
import { WINDOWS, type WindowName } from './windows.ts';

/** The plots of the window, and the pools of now. */
export function Plots({ overview, window }: { overview: Overview; window: WindowName }) {
  const { times, requests, errors, denied, latency, pools } = overview;
  const p99 = Object.fromEntries(Object.entries(latency).map(([route, { p99_ms }]) => [route, p99_ms]));
  const period = `over ${WINDOWS[window].text}`;
  const perSecond = (value: number) => `${rateText(value)}/s`;
  return (
    <div class="plots">
      <Plot
        title="Requests and errors"
        period={period}
        times={times}
        series={[
          { name: 'Requests', values: requests },
          { name: 'Errors (5xx)', values: errors },
        ]}
        variables={['--series-1', '--danger']}
        text={perSecond}
        empty="No requests in this window."
      />
      <Plot
        title="Limited, by bucket"
        period={period}
        times={times}
        series={topSeries(denied, MAX_SERIES)}
        text={perSecond}
        empty="Nobody was limited in this window."
      />
      <Plot
        title="Latency by route, p99"
        period={period}
        times={times}
        series={topSeries(p99, MAX_SERIES)}
        text={durationText}
        empty="No requests in this window."
      />
      <section class="card">
        <div class="card-head">
          <h2>Database connections</h2>
          <span class="quiet">now</span>
        </div>
        {pools.length === 0 ? (
          <p class="quiet">No service reports a pool.</p>
        ) : (
          <Meters meters={pools.map(meterOf)} />
        )}
      </section>
    </div>
  );
}

function meterOf({ service, used, waiting, max }: Pool): Meter {
  const waits = waiting > 0 ? `, ${waiting} waiting` : '';
  return { name: service, value: used, max, text: `${used} of ${max} in use${waits}`, isFull: waiting > 0 };
}
