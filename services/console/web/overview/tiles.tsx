import type { ComponentChildren } from 'preact';
import { lastMaximum, lastOf, lastSum } from '../charts/series.ts';
import { counted, countText, durationText, rateText, shareText } from '../text/numbers.ts';
import type { Overview } from './snapshot.ts';

const UNKNOWN = '–';

/** The numbers of now. */
export function Tiles({ overview }: { overview: Overview }) {
  const { times, requests, errors, denied, latency, replicas } = overview;
  const { sessions, event_delay_ms, mail_queue, webhook_posts } = overview;
  const rate = lastOf(requests);
  const failed = lastOf(errors);
  const p99_ms = lastMaximum(Object.values(latency).map((route) => route.p99_ms));
  const down = replicas.filter(({ up }) => !up).length;
  const versions = new Set(replicas.map(({ version }) => version).filter((version) => version !== ''));
  return (
    <div class="tiles">
      <Tile name="Requests" value={textOf(rate, rateText)} unit="/s" href="/routes" />
      <Tile
        name="Errors (5xx)"
        value={textOf(failed, rateText)}
        unit="/s"
        detail={rate !== null && failed !== null && `${shareText(failed, rate)} of requests`}
        isBad={rate !== null && failed !== null && failed > rate / 100}
        href="/routes?sort=errors"
      />
      <Tile
        name="Limited (429)"
        value={textOf(times.length === 0 ? null : lastSum(denied), rateText)}
        unit="/s"
        href="/limits"
      />
      <Tile name="Posted by webhooks" value={textOf(webhook_posts, rateText)} unit="/s" href="/webhooks" />
      <Tile name="p99, slowest route" value={textOf(p99_ms, durationText)} href="/routes?sort=p99_ms" />
      <Tile name="Gateway sessions" value={textOf(sessions, countText)} href="/gateway" />
      <Tile name="Event delay" value={textOf(event_delay_ms, durationText)} href="/gateway" />
      <Tile name="Mail queue" value={textOf(mail_queue, countText)} href="/jobs" />
      <Tile
        name="Processes"
        value={countText(replicas.length - down)}
        detail={down > 0 ? `${down} away` : counted(versions.size, 'version')}
        isBad={down > 0}
        href="#processes"
      />
      <p class="quiet tiles-period">Now. Rates and p99 are of the newest {durationText(overview.step_ms)}.</p>
    </div>
  );
}

function textOf(value: number | null, text: (value: number) => string): string {
  return value === null ? UNKNOWN : text(value);
}

function Tile(props: {
  name: string;
  value: string;
  unit?: string;
  detail?: ComponentChildren;
  isBad?: boolean;
  href: string;
}) {
  const { name, value, unit, detail, isBad = false, href } = props;
  return (
    <a class={isBad ? 'tile bad' : 'tile'} href={href}>
      <span class="tile-name">{name}</span>
      <span class="tile-value">
        {value}
        {unit && value !== UNKNOWN && <small>{unit}</small>}
      </span>
      {detail && <span class="tile-detail">{detail}</span>}
    </a>
  );
}
