import { isUtf8 } from 'node:buffer';
import { notAnObject } from './parse.ts';

/** Where a member's value lies, and how much there is in it. */
export interface MemberPlace {
  readonly from: number;
  readonly to: number;
  /** Values in it, itself included. */
  readonly values: number;
  /** How many arrays and objects lie in each other; 0 for a text, a number or a literal. */
  readonly depth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;
/** What may follow a backslash: " \ / b f n r t */
const ESCAPED = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Of a wanted name, each of whose characters may be escaped. */
const LONGEST_NAME = 6 * 64;

/**
 * Finds the wanted members of a JSON object, of those with one name the last. The others are checked like them and
 * nothing is made of them: JSON.parse makes two hundred times the length of a text out of `{},{},{}`.
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) for what JSON.parse would not take, and for what is no object
 */
export function findMembers(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, MemberPlace> {
  if (!isUtf8(bytes)) throw notAnObject();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = text.length;
  const found = new Map<string, MemberPlace>();
  /** 1 for each object and 0 for each array that is open. */
  let open = new Uint8Array(64);
  let depth = 0;
  let at = BYTE_ORDER_MARK.every((byte, index) => text[index] === byte) ? BYTE_ORDER_MARK.length : 0;

  // Of the member of the outermost object that is being read.
  let name: string | undefined;
  let from = 0;
  let values = 0;
  let deepest = 0;

  function blanks(): void {
    for (; at < length; at++) {
      const byte = text[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    }
  }

  function expect(byte: number): void {
    if (text[at] !== byte) throw notAnObject();
    at++;
  }

  function string(): void {
    expect(QUOTE);
    for (;;) {
      const byte = text[at++];
      if (byte === QUOTE) return;
      if (byte === undefined || byte < 0x20) throw notAnObject();
      if (byte === BACKSLASH) escaped();
    }
  }

  function escaped(): void {
    const byte = text[at++] as number;
    if (ESCAPED.has(byte)) return;
    if (byte !== LETTER_U) throw notAnObject();
    for (const end = at + 4; at < end; at++) if (!isHexDigit(text[at])) throw notAnObject();
  }

  function number(): void {
    if (text[at] === MINUS) at++;
    if (text[at] === ZERO) at++;
    else digits();
    if (text[at] === DOT) {
      at++;
      digits();
    }
    if (text[at] === 0x65 || text[at] === 0x45) {
      at++;
      if (text[at] === PLUS || text[at] === MINUS) at++;
      digits();
    }
  }

  function digits(): void {
    if (!isDigit(text[at])) throw notAnObject();
    while (isDigit(text[at])) at++;
  }

  function literal(): void {
    const is = LITERALS.find(
      (one) => text.compare(one, 0, one.length, at, Math.min(length, at + one.length)) === 0,
    );
    if (is === undefined) throw notAnObject();
    at += is.length;
  }

  /** The name of a member, and its colon. */
  function key(): void {
    const start = at;
    string();
    if (depth === 1) name = wantedName(start, at);
    blanks();
    expect(COLON);
    blanks();
    if (depth === 1) {
      from = at;
      values = 0;
      deepest = 0;
    }
  }

  function wantedName(start: number, end: number): string | undefined {
    if (end - start > LONGEST_NAME) return undefined;
    const read = JSON.parse(text.toString('utf8', start, end)) as string;
    return wanted.has(read) ? read : undefined;
  }

  function enter(isObject: boolean): void {
    at++;
    if (depth === open.length) {
      const longer = new Uint8Array(open.length * 2);
      longer.set(open);
      open = longer;
    }
    open[depth++] = isObject ? 1 : 0;
    deepest = Math.max(deepest, depth - 1);
  }

  /** Reads one value, or the beginning of an array or object that has something in it; false for the latter. */
  function value(): boolean {
    values++;
    const byte = text[at];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      enter(byte === OPEN_BRACE);
      blanks();
      if (text[at] === (byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
        at++;
        depth--;
        return true;
      }
      if (byte === OPEN_BRACE) key();
      return false;
    }
    if (byte === QUOTE) string();
    else if (byte === MINUS || isDigit(byte)) number();
    else literal();
    return true;
  }

  /** After a value: what may come until the next one; false at the end of the outermost object. */
  function next(): boolean {
    for (;;) {
      if (depth === 1 && name !== undefined) found.set(name, { from, to: at, values, depth: deepest });
      blanks();
      const isObject = open[depth - 1] === 1;
      if (text[at] === COMMA) {
        at++;
        blanks();
        if (isObject) key();
        return true;
      }
      expect(isObject ? CLOSE_BRACE : CLOSE_BRACKET);
      depth--;
      if (depth === 0) return false;
    }
  }

  blanks();
  if (text[at] !== OPEN_BRACE) throw notAnObject();
  let isWhole = value();
  while (depth > 0) {
    if (isWhole && !next()) break;
    isWhole = value();
  }
  blanks();
  if (at !== length) throw notAnObject();
  return found;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
