const CLOCK = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** A date with the time of day: "29 Nov 2026, 07:30:47". */
export function dateTimeText(time_ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(time_ms);
}

/** A time with milliseconds, to compare lines of a log: "29 Nov, 07:30:47.403". */
export function clockText(time_ms: number): string {
  return CLOCK.format(time_ms);
}
