import { type Fault, invalidForm } from '../fault.ts';
import { parseExact } from './exact-number.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A value may take twenty times its text in memory. Bodies with more are none that anybody means. */
const MAX_VALUES = 250_000;
/** A text of a list, such as a path among the files of a commit, takes little more than its text. */
const MAX_SHORT_TEXTS = 500_000;
/** Shorter ones, quotes included, are slow to parse, and as many as fit are too many. */
const LONG_TEXT_BYTES = 18;

/**
 * The JSON object that a body is. Numbers whose digits a double does not tell are kept exact (`digitsOf`).
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) when it is not UTF-8, not JSON, no object, or has more
 *   than 250,000 values, not counting texts in lists, of which up to 500,000 may be shorter than 16 bytes
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
/** The bytes that stand before another value: `,` `[` `{` and `:`. */
const BEFORE_VALUE = new Uint8Array(256);
for (const char of ',[{:') BEFORE_VALUE[char.charCodeAt(0)] = 1;

/** Whether a JSON text has more values than it may; names count as well. */
function hasTooManyValues(body: Uint8Array): boolean {
  let values = 1;
  let shortTexts = 0;
  let before = 0; // the last byte that is no white space
  for (let at = 0; at < body.length && values <= MAX_VALUES && shortTexts <= MAX_SHORT_TEXTS; at++) {
    const byte = body[at] as number;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      // Among members a string has a colon beside it.
      if ((before === COMMA || before === OPENING) && isFollowedInList(body, end)) {
        values--;
        if (end + 1 - at < LONG_TEXT_BYTES) shortTexts++;
      }
      at = end;
    } else values += BEFORE_VALUE[byte] as number;
    before = byte;
  }
  return values > MAX_VALUES || shortTexts > MAX_SHORT_TEXTS;
}

function isFollowedInList(body: Uint8Array, end: number): boolean {
  let at = end + 1;
  while ((body[at] as number) <= SPACE) at++;
  return body[at] === COMMA || body[at] === CLOSING;
}

/** As many bytes are looked at one by one: the search for a quote is fast, and slow to begin. */
const NEAR_BYTES = 16;

/** Where the string that begins here ends. */
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

/** Whether a quote is escaped, in a string of which nothing from `start` on belongs to an escape before it. */
function isEscaped(body: Uint8Array, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= start && body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

export function notAnObject(): Fault {
  return invalidForm([{ path: 'body', code: 'INVALID_FORMAT', message: 'Must be a JSON object.' }]);
}
