const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A past time in words, such as "3 hours ago"; the date if it is over a month ago. */
export function timeAgo(time: Date, now: Date): string {
  const passed_ms = now.getTime() - time.getTime();
  if (passed_ms < MINUTE_MS) return 'just now'; // the server's clock may be ahead
  if (passed_ms < HOUR_MS) return RELATIVE.format(-Math.floor(passed_ms / MINUTE_MS), 'minute');
  if (passed_ms < DAY_MS) return RELATIVE.format(-Math.floor(passed_ms / HOUR_MS), 'hour');
  if (passed_ms < 30 * DAY_MS) return RELATIVE.format(-Math.floor(passed_ms / DAY_MS), 'day');
  return `on ${DATE.format(time)}`;
}
