/** Lengths in seconds. Months have 30 days and years 365, as in envoyproxy/ratelimit. */
export const UNIT_SECONDS = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
} as const;
export type UnitName = keyof typeof UNIT_SECONDS;

export const UNIT_NAMES = Object.keys(UNIT_SECONDS) as UnitName[];
/** The longest window. */
export const MAX_WINDOW_SECONDS = UNIT_SECONDS.year;
/** The number of windows that callers can choose in an override is bounded by it. */
export const MAX_UNIT_MULTIPLIER = 1_000;

/** A unit in either case. */
export function unitOf(text: string): UnitName | undefined {
  return UNIT_NAMES.find((unit) => unit === text.toLowerCase());
}

/** The window in seconds; undefined if it is longer than a year, or the multiplier is out of range. */
export function windowSeconds(unit: UnitName, multiplier: number): number | undefined {
  const seconds = UNIT_SECONDS[unit] * multiplier;
  return multiplier >= 1 && multiplier <= MAX_UNIT_MULTIPLIER && seconds <= MAX_WINDOW_SECONDS
    ? seconds
    : undefined;
}
