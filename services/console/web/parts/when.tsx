import { Ago } from '@gatehouse/web/shared/ago.tsx';
import { dateTimeText } from '../text/clock-text.ts';
import { lastText } from '../text/last-text.ts';
import { untilText } from '../text/until.ts';

/** A past time in words, with the full time as a tooltip; "never" without one. */
export function When({ ms }: { ms: number | null | undefined }) {
  if (ms == null || ms === 0) return <>never</>;
  return <Ago time={new Date(ms).toISOString()} />;
}

/** A date with the time of day, for logs: "29 Nov 2026, 07:30:47 · 3 hours ago". */
export function At({ ms }: { ms: number }) {
  return (
    <>
      <time dateTime={new Date(ms).toISOString()}>{dateTimeText(ms)}</time> · <When ms={ms} />
    </>
  );
}

/** A time of the last minutes to the second, such as "5 s ago", with the full time as a tooltip. */
export function Last({ ms }: { ms: number }) {
  const time = new Date(ms);
  return (
    <time dateTime={time.toISOString()} title={dateTimeText(ms)}>
      {lastText(ms, Date.now())}
    </time>
  );
}

/** How long it is until a time, with the full time as a tooltip. */
export function Until({ ms }: { ms: number }) {
  const time = new Date(ms);
  return (
    <time dateTime={time.toISOString()} title={dateTimeText(ms)}>
      {untilText(ms, Date.now())}
    </time>
  );
}
