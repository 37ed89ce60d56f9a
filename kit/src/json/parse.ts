import { type Fault, invalidForm } from '../fault.ts';
import { parseExact } from './exact-number.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Values may take twenty times the memory of their text. No legitimate body has more of them. */
const MAX_VALUES = 250_000;
/** Strings in arrays, such as paths of a commit, take little more memory than their text. Only short ones are limited. */
const MAX_SHORT_TEXTS = 500_000;
/** Shorter strings, quotes included, are short texts: they are slow to parse, and a body can hold too many of them. */
const LONG_TEXT_BYTES = 18;

/**
 * Parses a body that is a JSON object. Numbers that a double does not reproduce keep their digits (`digitsOf`).
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) if it is not UTF-8, not JSON, not an object, or too large:
 * more than 250,000 values without strings in arrays, or more than 500,000 strings in arrays under 16 bytes
 */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  if (body.length > MAX_VALUES && hasTooManyValues(body)) throw notAnObject();
  let value: unknown;
  try {
    value = parseExact(utf8.decode(body));
  } catch {
    throw notAnObject();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Number)
    throw notAnObject();
  return value as Record<string, unknown>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const OPENING = 0x5b;
const CLOSING = 0x5d;
/** The bytes that precede another value: `,` `[` `{` and `:`. */
const BEFORE_VALUE = new Uint8Array(256);
for (const char of ',[{:') BEFORE_VALUE[char.charCodeAt(0)] = 1;

/** Whether a JSON text has too many values, or too many short strings in arrays. Names count as values. */
function hasTooManyValues(body: Uint8Array): boolean {
  let values = 1; // all but the first follow a byte of BEFORE_VALUE
  let listTexts = 0; // those of them that are strings in arrays
  let shortTexts = 0; // those of them that are short
  let before = 0; // the last byte that is not white space
  for (let at = 0; at < body.length; at++) {
    if (values - listTexts > MAX_VALUES || shortTexts > MAX_SHORT_TEXTS) return true;
    const byte = body[at] as number;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      // In an object, a string has a colon on one side.
      if ((before === COMMA || before === OPENING) && isListItem(body, end)) {
        listTexts++;
        if (end + 1 - at < LONG_TEXT_BYTES) shortTexts++;
      }
      at = end;
    } else values += BEFORE_VALUE[byte] as number;
    before = byte;
  }
  return values - listTexts > MAX_VALUES || shortTexts > MAX_SHORT_TEXTS;
}

function isListItem(body: Uint8Array, end: number): boolean {
  let at = end + 1;
  while ((body[at] as number) <= SPACE) at++;
  return body[at] === COMMA || body[at] === CLOSING;
}

/** This many bytes are checked one by one: searching for a quote is fast, but slow to start. */
const NEAR_BYTES = 16;

/** The end of the string that begins here. */
function endOfString(body: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < body.length) {
    for (const far = Math.min(at + NEAR_BYTES, body.length); at < far; at++) {
      const byte = body[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    if (!isEscaped(body, quote, at)) return quote;
    at = quote + 1;
  }
  return body.length;
}

/** Whether the quote at `at` is escaped. Backslashes before `start` belong to earlier escapes. */
function isEscaped(body: Uint8Array, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= start && body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

export function notAnObject(): Fault {
  return invalidForm([{ path: 'body', code: 'INVALID_FORMAT', message: 'Must be a JSON object.' }]);
}
