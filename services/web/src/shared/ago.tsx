import { formatTime } from './i18n/format.ts';
import { timeAgo } from './time-ago.ts';

/** A time of the API in words, with the full time as a tooltip. */
export function Ago({ time }: { time: string }) {
  const then = new Date(time);
  return (
    <time dateTime={time} title={formatTime(then)}>
      {timeAgo(then, new Date())}
    </time>
  );
}
