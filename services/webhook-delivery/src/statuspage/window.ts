import { inSupportedYears, type SentTime } from '@gatehouse/kit/iso-8601';
import { type JsonObject, valueAt } from '../execution/json-object.ts';
import { timeAt } from './time.ts';

const STARTS = ['start', 'maintenance_start_date', 'scheduled_for'];
const ENDS = ['end', 'maintenance_end_date', 'scheduled_until'];

/** Start and end of a maintenance as timestamp markup; one of them if the other is missing. */
export function maintenanceWindow(maintenance: JsonObject): string | undefined {
  const start = firstTime(maintenance, STARTS);
  const end = firstTime(maintenance, ENDS) ?? endByDuration(maintenance, start);
  const times = [start, end].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : times.map(markup).join('-');
}

function firstTime(from: JsonObject, names: readonly string[]): SentTime | undefined {
  for (const name of names) {
    const time = timeAt(from, name);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** `duration` is in minutes, as a number or a string. */
function endByDuration(maintenance: JsonObject, start: SentTime | undefined): SentTime | undefined {
  const value = valueAt(maintenance, 'duration');
  const text = typeof value === 'number' ? String(value) : value;
  if (start === undefined || typeof text !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text.trim()))
    return undefined;
  const minutes = Number(text);
  if (minutes <= 0) return undefined;
  return inSupportedYears({
    ...start,
    seconds: Math.floor(start.seconds + Number(`0.${start.fraction}`) + minutes * 60),
  });
}

function markup({ seconds }: SentTime): string {
  return `<t:${seconds}:F>`;
}
