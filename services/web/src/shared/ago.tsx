import { timeAgo } from './time-ago.ts';

/** A time of the API in words, with the full time as a tooltip. */
export function Ago({ time }: { time: string }) {
  const then = new Date(time);
  return (
    <time dateTime={time} title={then.toLocaleString('en')}>
      {timeAgo(then, new Date())}
    </time>
  );
}
