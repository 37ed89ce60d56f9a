import { valueAt } from '../execution/untyped.ts';

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?(?:[Zz]|UTC|([+-])(\d{2}):?(\d{2})?)?)?$/;

/**
 * An ISO 8601 date, or date and time, in milliseconds of the Unix epoch. A space may stand for the T. Without
 * a time it is midnight, without a zone UTC. Undefined for anything else, and beyond the years 0–9999.
 */
export function timeAt(from: unknown, ...path: readonly string[]): number | undefined {
  const value = valueAt(from, ...path);
  const match = typeof value === 'string' ? ISO_8601.exec(value.trim()) : null;
  if (match === null) return undefined;
  const [, date, minutes = '00:00', seconds = '00', fraction = ''] = match;
  const local = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(local);
  // Date.parse turns 30 February into 1 March.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== local) return undefined;
  const [, , , , , sign, zoneHours = '00', zoneMinutes = '00'] = match;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const offsetMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return within(localMs + (sign === '-' ? offsetMs : -offsetMs));
}

/** The time, if its year has four digits. */
export function within(ms: number): number | undefined {
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : undefined;
}

const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
