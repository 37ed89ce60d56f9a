/** Matches where there may be a number that a double does not give back. Texts match too, which costs only time. */
const MAY_HOLD = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;
/**
 * A reviver is called for each value, and takes about a microsecond: a body of 64 KiB is always read with it. With more,
 * numbers of more digits than a double has are no IDs.
 */
const MAX_COMMAS = 65_536;

/**
 * JSON.parse, but that numbers keep their digits where a double does not give them back: `1.0`, `1e3`, `-0`, and those of
 * more digits than a double has (`plainValue`, `digitsOf`).
 * @throws SyntaxError; RangeError where it is nested too deep
 */
export function parseExact(text: string): unknown {
  return MAY_HOLD.test(text) && !hasMany(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  // A double may give back the digits of a larger integer by chance: `digitsOf` could not tell that it did.
  const isTold = Number.isSafeInteger(value) || !Number.isInteger(value);
  // No JSON is read as an object of this class, so it cannot be taken for one that a client sent.
  return isTold && String(value) === context.source
    ? value
    : Object.assign(Object(value), { text: context.source });
}

function hasMany(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1))
    if (++commas > MAX_COMMAS) return true;
  return false;
}

/** The value, a number as a double. */
export function plainValue(value: unknown): unknown {
  return value instanceof Number ? value.valueOf() : value;
}

/** A number as it was sent; undefined for anything else, and for one whose digits are lost. */
export function digitsOf(value: unknown): string | undefined {
  if (value instanceof Number) return 'text' in value ? String(value.text) : String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : undefined;
}
