import { dateTimeText } from '../text/clock-text.ts';
import { parsed } from '../text/json-text.ts';

/** A member of a thing that an action has changed. */
export interface Change {
  /** With dots: "suspension.reason". */
  readonly path: string;
  /** Undefined: it was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The members that differ between two values, by path. JSON texts are read first; '' and null are no value. */
export function diffOf(before: unknown, after: unknown): readonly Change[] {
  const one = leavesOf(jsonOf(before), '');
  const other = leavesOf(jsonOf(after), '');
  const paths = [...new Set([...one.keys(), ...other.keys()])].sort();
  return paths
    .map((path) => ({ path, before: one.get(path), after: other.get(path) }))
    .filter((change) => change.before !== change.after);
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value === '' ? undefined : (parsed(value) ?? value);
}

/** The members that are no objects, as texts. Lists are one member. */
function leavesOf(value: unknown, path: string): Map<string, string> {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([[path, textOf(path, value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, member]) => [
      ...leavesOf(member, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/** Times are in milliseconds since the Unix epoch. */
function textOf(path: string, value: unknown): string {
  if (path.endsWith('at_ms') && typeof value === 'number') return dateTimeText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
