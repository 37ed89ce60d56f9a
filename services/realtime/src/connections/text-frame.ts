const FINAL_TEXT = 0x81;

/** The header of a text frame (RFC 6455 §5.2), and the event up to `s`. */
export function textFrameStart(s: number, restBytes: number): Buffer {
  const text = eventStart(s);
  const length = text.length + restBytes;
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const start = Buffer.allocUnsafe(headerBytes + text.length);
  start[0] = FINAL_TEXT;
  if (headerBytes === 2) start[1] = length;
  else if (headerBytes === 4) {
    start[1] = 126;
    start.writeUInt16BE(length, 2);
  } else {
    start[1] = 127;
    start.writeBigUInt64BE(BigInt(length), 2);
  }
  start.write(text, headerBytes, 'latin1');
  return start;
}

/** The same as a latin1 string. The frame must be shorter than 64 KiB. */
export function textFrameStartLatin1(s: number, restBytes: number): string {
  const text = eventStart(s);
  const length = text.length + restBytes;
  if (length < 126) return String.fromCharCode(FINAL_TEXT, length) + text;
  return String.fromCharCode(FINAL_TEXT, 126, length >> 8, length & 255) + text;
}

export function eventStart(s: number): string {
  return `{"op":0,"s":${s}`;
}
