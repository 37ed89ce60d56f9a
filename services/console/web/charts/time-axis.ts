const DAY_S = 86_400;
const MINUTE_S = 60;

const two = (number: number) => String(number).padStart(2, '0');

/** The texts of marks on a time axis, in local time: "06:30", or "06:30:15" for marks within a minute, or "29 Nov" where a day begins. Times are in seconds. */
export function timeTexts(times: readonly number[], apart_s: number): string[] {
  return times.map((time) => {
    const date = new Date(time * 1_000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
    if (apart_s >= DAY_S || isMidnight)
      return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(date);
    const seconds = apart_s < MINUTE_S ? `:${two(date.getSeconds())}` : '';
    return `${two(date.getHours())}:${two(date.getMinutes())}${seconds}`;
  });
}
