import { isUtf8 } from 'node:buffer';

/**
 * The decoded value of the first field with this name in a form. Decodes bytes instead of strings, because megabytes of
 * encoded text would take gigabytes as strings.
 */
export function formField(form: Buffer, name: string): Buffer | undefined {
  const isFirst = form.subarray(0, name.length + 1).equals(Buffer.from(`${name}=`));
  const at = isFirst ? 0 : form.indexOf(`&${name}=`) + 1;
  if (!isFirst && at === 0) return undefined;
  const end = form.indexOf(AMPERSAND, at);
  return decoded(form.subarray(at + name.length + 1, end < 0 ? form.length : end));
}

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/** A stray percent sign is kept. Bytes that are not UTF-8 are replaced. */
function decoded(value: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const byte = value[at] as number;
    const high = byte === PERCENT ? digitOf(value[at + 1]) : -1;
    const low = high < 0 ? -1 : digitOf(value[at + 2]);
    if (low >= 0) {
      bytes[length++] = 16 * high + low;
      at += 2;
    } else bytes[length++] = byte === PLUS ? SPACE : byte;
  }
  const text = bytes.subarray(0, length);
  return isUtf8(text) ? text : Buffer.from(text.toString());
}

/** The value of a hexadecimal digit; -1 for anything else. */
function digitOf(byte: number | undefined): number {
  return byte === undefined ? -1 : (DIGITS[byte] as number);
}

const DIGITS = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
