/**
 * Matches if there may be a number that a double does not reproduce. A match within a string only costs time.
 */
const MAYBE_INEXACT = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;
/**
 * A reviver costs about a microsecond per value: bodies up to 64 KiB are always parsed with it. In longer ones,
 * numbers with more digits than a double has cannot be IDs.
 */
const MAX_COMMAS = 65_536;

/**
 * JSON.parse that keeps the digits of numbers that a double does not reproduce (`1.0`, `1e3`, `-0`, and numbers with more
 * digits than a double has), for `plainValue` and `digitsOf`.
 *
 * @throws SyntaxError; RangeError if it is nested too deep
 */
export function parseExact(text: string): unknown {
  return MAYBE_INEXACT.test(text) && !hasTooManyCommas(text)
    ? JSON.parse(text, exactNumber)
    : JSON.parse(text);
}

function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  // A double may reproduce the digits of a larger integer by chance, which `digitsOf` could not detect.
  const isReproduced = Number.isSafeInteger(value) || !Number.isInteger(value);
  // JSON.parse never makes an object of this class, so it cannot be confused with one that a client sent.
  return isReproduced && String(value) === context.source
    ? value
    : Object.assign(Object(value), { text: context.source });
}

function hasTooManyCommas(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1))
    if (++commas > MAX_COMMAS) return true;
  return false;
}

/** The value; a number as a double. */
export function plainValue(value: unknown): unknown {
  return value instanceof Number ? value.valueOf() : value;
}

/** A number's digits as they were sent; undefined for other values, and for numbers whose digits are lost. */
export function digitsOf(value: unknown): string | undefined {
  if (value instanceof Number) return 'text' in value ? String(value.text) : String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : undefined;
}
