import { isHostPort } from '@gatehouse/kit/env';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { InvalidArgumentError } from 'commander';

/** Parsers of option values, for commander's argParser. Each throws InvalidArgumentError. */

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** host:port of one process; of several addresses, the first. */
export function oneAddress(text: string): string {
  const [first = ''] = addresses(text).split(',');
  return first;
}

/** host:port, or several separated by commas: replicas of one service. */
export function addresses(text: string): string {
  const each = text.split(',').map((address) => address.trim());
  if (!each.every(isHostPort))
    throw new InvalidArgumentError('It must be host:port, or several separated by commas.');
  return each.join(',');
}

export function snowflake(of: string): (text: string) => string {
  return (text) => {
    if (!isSnowflake(text)) throw new InvalidArgumentError(`It must be the ID of ${of}.`);
    return text;
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of 90s, 15m, 1h or 7d. */
export function durationMs(text: string): number {
  const [, number, unit = ''] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const unit_ms = UNITS_MS[unit];
  if (unit_ms === undefined)
    throw new InvalidArgumentError('It must be a number and one of s, m, h, d, such as 15m.');
  return Number(number) * unit_ms;
}

/** Milliseconds since the Unix epoch, of an ISO 8601 time with its zone. */
export function timeMs(text: string): number {
  const at_ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(at_ms))
    throw new InvalidArgumentError('It must be a time with its zone, such as 2030-01-31T12:00Z.');
  return at_ms;
}

/** Values separated by commas. */
export function commaSeparated<T>(parse: (text: string) => T): (text: string) => readonly T[] {
  return (text) => text.split(',').map((item) => parse(item.trim()));
}

/** @param protocols without colon */
export function url(...protocols: readonly string[]): (text: string) => string {
  return (text) => {
    if (!isUrl(text, protocols))
      throw new InvalidArgumentError(
        `It must be a URL with ${protocols.map((one) => `${one}://`).join(' or ')}.`,
      );
    return text;
  };
}

export function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1));
}

/** A descriptor, key=value,key=value, after those of earlier options. */
export function descriptorEntries(
  text: string,
  earlier: readonly (readonly { key: string; value: string }[])[] = [],
): readonly (readonly { key: string; value: string }[])[] {
  const entries = text.split(',').map((entry) => {
    const end = entry.indexOf('=');
    if (end < 1) throw new InvalidArgumentError('It must be key=value, or several separated by commas.');
    return { key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
  return [...earlier, entries];
}
