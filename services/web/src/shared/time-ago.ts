import { formatDate } from './i18n/format.ts';
import { i18n } from './i18n/i18n.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A past time in words, such as "3 hours ago"; the date if it is over a month ago. */
export function timeAgo(time: Date, now: Date): string {
  const passed_ms = now.getTime() - time.getTime();
  if (passed_ms < MINUTE_MS) return i18n._('just now'); // the server's clock may be ahead
  const relative = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' });
  if (passed_ms < HOUR_MS) return relative.format(-Math.floor(passed_ms / MINUTE_MS), 'minute');
  if (passed_ms < DAY_MS) return relative.format(-Math.floor(passed_ms / HOUR_MS), 'hour');
  if (passed_ms < 30 * DAY_MS) return relative.format(-Math.floor(passed_ms / DAY_MS), 'day');
  return i18n._('on {date}', { date: formatDate(time) });
}
