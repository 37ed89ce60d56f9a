/** A moment with all the digits that were sent. */
export interface SentTime {
  /** Whole seconds since the Unix epoch, rounded down. */
  readonly seconds: number;
  /** The digits after the decimal point, as many as were sent. */
  readonly fraction: string;
}

/** Longer texts are refused without parsing. */
const MAX_TIME_CHARACTERS = 256;
const DATE_AND_TIME = /^([^T ]+)(?:[T ](.+))?$/i;
const DAY_SECONDS = 86_400;

/**
 * Parses a date, or a date and time, of ISO 8601: extended or basic, by day of the month, of the week or of the year,
 * with a fraction of any length, hour 24 and second 60 (docs/conventions.md#times). The default time is midnight, the
 * default offset UTC. Undefined for any other text, for a day or time that does not exist, and outside the years
 * 0-9999.
 */
export function readTime(text: string): SentTime | undefined {
  if (text.length > MAX_TIME_CHARACTERS) return undefined;
  const [, date = '', timeOfDay] = DATE_AND_TIME.exec(text) ?? [];
  const day = readDay(date, timeOfDay !== undefined);
  const time = timeOfDay === undefined ? MIDNIGHT : readTimeOfDay(timeOfDay);
  if (day === undefined || time === undefined) return undefined;
  return inSupportedYears({ seconds: day * DAY_SECONDS + time.seconds, fraction: time.fraction });
}

/** Parses seconds since the Unix epoch, with or without a fraction, to the last digit. */
export function readUnixTime(text: string): SentTime | undefined {
  const [match, sign, whole, digits = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,256}))?$/.exec(text) ?? [];
  if (match === undefined) return undefined;
  if (sign !== '-') return inSupportedYears({ seconds: Number(whole), fraction: digits });
  if (!/[1-9]/.test(digits)) return inSupportedYears({ seconds: 0 - Number(whole), fraction: '' });
  const fraction = (10n ** BigInt(digits.length) - BigInt(digits)).toString().padStart(digits.length, '0');
  return inSupportedYears({ seconds: -Number(whole) - 1, fraction });
}

/** Returns a negative number if the first time is earlier. */
export function compareTimes(one: SentTime, other: SentTime): number {
  if (one.seconds !== other.seconds) return one.seconds - other.seconds;
  const digits = Math.max(one.fraction.length, other.fraction.length);
  const [first, second] = [one.fraction.padEnd(digits, '0'), other.fraction.padEnd(digits, '0')];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** ISO 8601 in UTC with milliseconds; finer digits are cut off. */
export function isoTime({ seconds, fraction }: SentTime): string {
  return new Date(seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))).toISOString();
}

const EARLIEST = Date.parse('0000-01-01T00:00:00Z') / 1000;
const LATEST = Date.parse('9999-12-31T23:59:59Z') / 1000;

/** Undefined unless the year has four digits. */
export function inSupportedYears(time: SentTime): SentTime | undefined {
  return time.seconds >= EARLIEST && time.seconds <= LATEST ? time : undefined;
}

/** Days since the Unix epoch. A year, month or week without a day means its first day, unless it must be complete. */
function readDay(text: string, mustBeComplete: boolean): number | undefined {
  const [calendar, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  if (calendar !== undefined) return dayOf(Number(year), Number(month), Number(day));
  const [ordinal, inYear, dayOfYear] = /^(\d{4})-?(\d{3})$/.exec(text) ?? [];
  if (ordinal !== undefined) return ordinalDay(Number(inYear), Number(dayOfYear));
  const [, weekYear, week, weekday] = /^(\d{4})-?W(\d{2})(?:-?(\d))?$/i.exec(text) ?? [];
  if (weekday !== undefined || (week !== undefined && !mustBeComplete))
    return weekDay(Number(weekYear), Number(week), Number(weekday ?? 1));
  const [, bareYear, bareMonth = '01'] = mustBeComplete ? [] : (/^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? []);
  return bareYear === undefined ? undefined : dayOf(Number(bareYear), Number(bareMonth), 1);
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // JavaScript reads 30 February as 1 March.
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / (DAY_SECONDS * 1000) : undefined;
}

function ordinalDay(year: number, dayOfYear: number): number | undefined {
  const first = firstDay(year);
  const day = first + dayOfYear - 1;
  return day >= first && day < firstDay(year + 1) ? day : undefined;
}

function weekDay(year: number, week: number, weekday: number): number | undefined {
  const monday = firstMonday(year) + 7 * (week - 1);
  const exists = week >= 1 && monday < firstMonday(year + 1) && weekday >= 1 && weekday <= 7;
  return exists ? monday + weekday - 1 : undefined;
}

/** Week 1 contains 4 January. */
function firstMonday(year: number): number {
  const day = firstDay(year) + 3;
  return day - ((((day + 3) % 7) + 7) % 7);
}

function firstDay(year: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, 0, 1) / (DAY_SECONDS * 1000);
}

const MIDNIGHT: SentTime = { seconds: 0, fraction: '' };
const TIME_OF_DAY =
  /^(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d+))? ?(?:Z|UTC|([+\-\u2212])(\d{2})(?::?(\d{2}))?)?$/i;

/** Seconds of the day in UTC. An offset may lead to another day. */
function readTimeOfDay(text: string): SentTime | undefined {
  const [match, hours, minutes, seconds, digits = '', sign, zoneHours = '0', zoneMinutes = '0'] =
    TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && !/[1-9]/.test(digits);
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return undefined;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60;
  const unit = seconds !== undefined ? 1 : minutes !== undefined ? 60 : 3600;
  const rest = fractionOf(unit, digits);
  const local = (hour * 60 + minute) * 60 + second + rest.seconds;
  return {
    seconds: local + (sign === undefined || sign === '+' ? -offset : offset),
    fraction: rest.fraction,
  };
}

/** A fraction of an hour, a minute or a second, in seconds. */
function fractionOf(unit: number, digits: string): SentTime {
  if (digits === '') return MIDNIGHT;
  const scale = 10n ** BigInt(digits.length);
  const scaled = BigInt(digits) * BigInt(unit);
  return {
    seconds: Number(scaled / scale),
    fraction: (scaled % scale).toString().padStart(digits.length, '0'),
  };
}
