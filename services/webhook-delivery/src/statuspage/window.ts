import { type Untyped, valueAt } from '../execution/untyped.ts';
import { timeAt, within } from './time.ts';

const STARTS = ['start', 'maintenance_start_date', 'scheduled_for'];
const ENDS = ['end', 'maintenance_end_date', 'scheduled_until'];

/** When a maintenance starts and ends, as timestamp markup; one of the two if the other is not told. */
export function maintenanceWindow(maintenance: Untyped): string | undefined {
  const start = firstTime(maintenance, STARTS);
  const end = firstTime(maintenance, ENDS) ?? endByDuration(maintenance, start);
  const ends = [start, end].filter((time) => time !== undefined);
  return ends.length === 0 ? undefined : ends.map(markup).join('-');
}

function firstTime(from: Untyped, names: readonly string[]): number | undefined {
  for (const name of names) {
    const time = timeAt(from, name);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** `duration` is in minutes, as a number or a string. */
function endByDuration(maintenance: Untyped, start: number | undefined): number | undefined {
  const value = valueAt(maintenance, 'duration');
  const text = typeof value === 'number' ? String(value) : value;
  if (start === undefined || typeof text !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(text.trim()))
    return undefined;
  const minutes = Number(text);
  return minutes > 0 ? within(start + minutes * 60_000) : undefined;
}

function markup(ms: number): string {
  return `<t:${Math.floor(ms / 1000)}:F>`;
}
