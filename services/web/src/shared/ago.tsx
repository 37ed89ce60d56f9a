import { timeAgo } from './time-ago.ts';

/** A time of the API in words, and in full when it is pointed at. */
export function Ago({ time }: { time: string }) {
  const then = new Date(time);
  return (
    <time dateTime={time} title={then.toLocaleString('en')}>
      {timeAgo(then, new Date())}
    </time>
  );
}
