import { isUtf8 } from 'node:buffer';
import { notAnObject } from './parse.ts';

/** The byte range of a member's value, and how much it contains. */
export interface MemberRange {
  readonly from: number;
  readonly to: number;
  /** Number of values in it, itself included. */
  readonly values: number;
  /** Nesting depth of arrays and objects; 0 for a string, a number or a literal. */
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
/** The characters that may follow a backslash, besides u. */
const ESCAPED = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Maximum length of a wanted name: 64 characters, each of which may be escaped. */
const MAX_NAME_BYTES = 6 * 64;

/**
 * Finds the wanted members of a JSON object; of several with one name, the last. Everything else is validated without
 * building values: JSON.parse needs two hundred times the length of a text such as `{},{},{}`.
 *
 * @throws INVALID_FORM_BODY (path `body`, INVALID_FORMAT) for text that JSON.parse refuses, or that is not an object
 */
export function findMembers(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, MemberRange> {
  if (!isUtf8(bytes)) throw notAnObject();
  return new MemberScanner(bytes, wanted).scan();
}

/** Reads JSON text once, from its first byte to its last. */
class MemberScanner {
  readonly #text: Buffer;
  readonly #wanted: ReadonlySet<string>;
  readonly #found = new Map<string, MemberRange>();
  #at: number;
  /** For each open array or object: 1 for an object, 0 for an array. */
  #open = new Uint8Array(64);
  #depth = 0;
  // State of the current member of the outermost object.
  #name: string | undefined;
  #from = 0;
  #values = 0;
  #maxDepth = 0;

  constructor(bytes: Uint8Array, wanted: ReadonlySet<string>) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#wanted = wanted;
    const hasByteOrderMark = BYTE_ORDER_MARK.every((byte, index) => this.#text[index] === byte);
    this.#at = hasByteOrderMark ? BYTE_ORDER_MARK.length : 0;
  }

  scan(): Map<string, MemberRange> {
    this.#skipWhitespace();
    if (this.#text[this.#at] !== OPEN_BRACE) throw notAnObject();
    do {
      if (this.#value() === 'complete') this.#toNextValue();
    } while (this.#depth > 0);
    this.#skipWhitespace();
    if (this.#at !== this.#text.length) throw notAnObject();
    return this.#found;
  }

  /** Reads a value. Of an array or object with contents, reads only the opening: the first value in it is next. */
  #value(): 'complete' | 'opened' {
    this.#values++;
    const byte = this.#text[this.#at];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#opening(byte === OPEN_BRACE);
    if (byte === QUOTE) this.#string();
    else if (byte === MINUS || isDigit(byte)) this.#number();
    else this.#literal();
    return 'complete';
  }

  /** Reads the opening of an array or object, and its closing bracket if it is empty. */
  #opening(isObject: boolean): 'complete' | 'opened' {
    this.#at++;
    this.#push(isObject);
    this.#skipWhitespace();
    if (this.#text[this.#at] === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.#at++;
      this.#depth--;
      return 'complete';
    }
    if (isObject) this.#key();
    return 'opened';
  }

  #push(isObject: boolean): void {
    if (this.#depth === this.#open.length) {
      const longer = new Uint8Array(this.#open.length * 2);
      longer.set(this.#open);
      this.#open = longer;
    }
    this.#open[this.#depth++] = isObject ? 1 : 0;
    this.#maxDepth = Math.max(this.#maxDepth, this.#depth - 1);
  }

  /** Reads closing brackets, a comma and a key: up to the next value, or to the end of the outermost object. */
  #toNextValue(): void {
    while (this.#depth > 0) {
      if (this.#depth === 1 && this.#name !== undefined) this.#addMember(this.#name);
      this.#skipWhitespace();
      const isObject = this.#open[this.#depth - 1] === 1;
      if (this.#text[this.#at] === COMMA) {
        this.#at++;
        this.#skipWhitespace();
        if (isObject) this.#key();
        return;
      }
      this.#expect(isObject ? CLOSE_BRACE : CLOSE_BRACKET);
      this.#depth--;
    }
  }

  #addMember(name: string): void {
    this.#found.set(name, { from: this.#from, to: this.#at, values: this.#values, depth: this.#maxDepth });
  }

  /** Reads the name of a member, and its colon. */
  #key(): void {
    const start = this.#at;
    this.#string();
    if (this.#depth === 1) this.#name = this.#wantedName(start, this.#at);
    this.#skipWhitespace();
    this.#expect(COLON);
    this.#skipWhitespace();
    if (this.#depth === 1) {
      this.#from = this.#at;
      this.#values = 0;
      this.#maxDepth = 0;
    }
  }

  #wantedName(start: number, end: number): string | undefined {
    if (end - start > MAX_NAME_BYTES) return undefined;
    const name = JSON.parse(this.#text.toString('utf8', start, end)) as string;
    return this.#wanted.has(name) ? name : undefined;
  }

  #skipWhitespace(): void {
    const text = this.#text;
    let at = this.#at;
    for (; at < text.length; at++) {
      const byte = text[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    this.#at = at;
  }

  #expect(byte: number): void {
    if (this.#text[this.#at] !== byte) throw notAnObject();
    this.#at++;
  }

  #string(): void {
    const text = this.#text;
    this.#expect(QUOTE);
    for (;;) {
      const byte = text[this.#at++];
      if (byte === QUOTE) return;
      if (byte === undefined || byte < 0x20) throw notAnObject();
      if (byte === BACKSLASH) this.#escape();
    }
  }

  #escape(): void {
    const byte = this.#text[this.#at++] as number;
    if (ESCAPED.has(byte)) return;
    if (byte !== LETTER_U) throw notAnObject();
    for (const end = this.#at + 4; this.#at < end; this.#at++)
      if (!isHexDigit(this.#text[this.#at])) throw notAnObject();
  }

  #number(): void {
    const text = this.#text;
    if (text[this.#at] === MINUS) this.#at++;
    if (text[this.#at] === ZERO) this.#at++;
    else this.#digits();
    if (text[this.#at] === DOT) {
      this.#at++;
      this.#digits();
    }
    if (text[this.#at] === 0x65 || text[this.#at] === 0x45) {
      this.#at++;
      if (text[this.#at] === PLUS || text[this.#at] === MINUS) this.#at++;
      this.#digits();
    }
  }

  #digits(): void {
    if (!isDigit(this.#text[this.#at])) throw notAnObject();
    while (isDigit(this.#text[this.#at])) this.#at++;
  }

  #literal(): void {
    const end = this.#text.length;
    const literal = LITERALS.find(
      (one) => this.#text.compare(one, 0, one.length, this.#at, Math.min(end, this.#at + one.length)) === 0,
    );
    if (literal === undefined) throw notAnObject();
    this.#at += literal.length;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
