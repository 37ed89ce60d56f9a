import { type Fault, invalidForm } from '../fault.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A value may take twenty times its text in memory. Bodies with more are none that anybody means. */
const MAX_VALUES = 250_000;
/** A text of a list, such as a path among the files of a commit, takes little more than its text. */
const MAX_LISTED_TEXTS = 500_000;

/**
 * The JSON object that a body is.
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) when it is not UTF-8, not JSON, no object, or has more
 *   than 250,000 values, not counting up to 500,000 texts in lists
 */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  if (body.length > MAX_VALUES && hasTooManyValues(body)) throw notAnObject();
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw notAnObject();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject();
  return value as Record<string, unknown>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = 0x5b;
const CLOSING = 0x5d;
/** The bytes that stand before another value: `,` `[` `{` and `:`. */
const BEFORE_VALUE = new Uint8Array(256);
for (const char of ',[{:') BEFORE_VALUE[char.charCodeAt(0)] = 1;

/** Whether a JSON text has more values than it may; names count as well. */
function hasTooManyValues(body: Uint8Array): boolean {
  let values = 1;
  let texts = 0;
  for (let at = 0; at < body.length && values <= MAX_VALUES && texts <= MAX_LISTED_TEXTS; at++) {
    const byte = body[at] as number;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (isListed(body, at, end)) {
        values--;
        texts++;
      }
      at = end;
    } else values += BEFORE_VALUE[byte] as number;
  }
  return values > MAX_VALUES || texts > MAX_LISTED_TEXTS;
}

/** Whether a string stands in a list, with nothing but brackets and commas around it. Among members it has a colon. */
function isListed(body: Uint8Array, start: number, end: number): boolean {
  const before = body[start - 1];
  const after = body[end + 1];
  return (before === COMMA || before === OPENING) && (after === COMMA || after === CLOSING);
}

/** Where the string that begins here ends. */
function endOfString(body: Uint8Array, from: number): number {
  let at = body.indexOf(QUOTE, from + 1);
  while (at > 0 && isEscaped(body, at)) at = body.indexOf(QUOTE, at + 1);
  return at < 0 ? body.length : at;
}

function isEscaped(body: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

export function notAnObject(): Fault {
  return invalidForm([{ path: 'body', code: 'INVALID_FORMAT', message: 'Must be a JSON object.' }]);
}
