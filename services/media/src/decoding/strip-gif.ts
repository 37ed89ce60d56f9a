import { lzwLength } from './lzw-length.ts';

const HEAD = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Bytes of an image descriptor after its introducer. */
const DESCRIPTOR = 9;
const MAX_BLOCK = 255;
/** A pixel takes at most one code of 12 bits, plus clear codes, which some encoders write often. */
const MAX_BYTES_A_PIXEL = 2;
const MAX_BYTES_BESIDE = 64;

/**
 * A GIF with its frames, delays and repeat count only: no comments, no text, no application data, no bytes behind its
 * end. The frames are not encoded again, which would take seconds.
 */
export function stripGif(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = HEAD + colourTable(bytes.readUInt8(10));
  kept.push(bytes.subarray(0, at));
  while (at < bytes.length) {
    const introducer = bytes.readUInt8(at);
    const start = at;
    if (introducer === IMAGE) {
      const table = colourTable(bytes.readUInt8(at + DESCRIPTOR));
      const blocks = at + 1 + DESCRIPTOR + table + 1;
      at = endOfBlocks(bytes, blocks);
      const pixels = bytes.readUInt16LE(start + 5) * bytes.readUInt16LE(start + 7);
      const root_bits = bytes.readUInt8(blocks - 1);
      kept.push(bytes.subarray(start, blocks), imageBlocks(bytes.subarray(blocks, at), root_bits, pixels));
    } else if (introducer === EXTENSION) {
      const label = bytes.readUInt8(at + 1);
      at = endOfBlocks(bytes, at + 2);
      if (label === GRAPHIC_CONTROL) kept.push(graphicControl(bytes.subarray(start, at)));
      else if (label === APPLICATION) kept.push(repetitions(bytes.subarray(start, at)));
    } else break;
  }
  return Buffer.concat([...kept, Buffer.of(TRAILER)]);
}

/** The size of a color table. The flags before it say whether there is one. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** The end of the data blocks at a position. Each starts with its length; the last one is empty. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = bytes.readUInt8(at);
    at += 1 + length;
    if (length === 0) break;
  }
  return Math.min(at, bytes.length);
}

/**
 * The data blocks of a frame's pixels, without the bytes after them.
 *
 * @throws Error if the frame has more bytes than its pixels can need, because they would be something else
 */
function imageBlocks(blocks: Buffer, root_bits: number, pixels: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < blocks.length && blocks.readUInt8(at) > 0; at += 1 + blocks.readUInt8(at))
    parts.push(blocks.subarray(at + 1, at + 1 + blocks.readUInt8(at)));
  const data = Buffer.concat(parts);
  const end = lzwLength(data, root_bits, pixels);
  if (end > pixels * MAX_BYTES_A_PIXEL + MAX_BYTES_BESIDE)
    throw new Error('a frame has bytes that are no pixels');
  const kept: Buffer[] = [];
  for (let at = 0; at < end; at += MAX_BLOCK) {
    const part = data.subarray(at, Math.min(at + MAX_BLOCK, end));
    kept.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...kept, Buffer.of(0)]);
}

/** The first block only, of four bytes. */
function graphicControl(extension: Buffer): Buffer {
  if (extension.length < 8 || extension.readUInt8(2) !== 4) return Buffer.alloc(0);
  return Buffer.concat([extension.subarray(0, 7), Buffer.of(0)]);
}

/** The repeat count, as browsers read it; undefined for other applications. */
function repetitions(extension: Buffer): Buffer {
  const name = extension.toString('latin1', 3, 14);
  if (extension.length < 19 || (name !== 'NETSCAPE2.0' && name !== 'ANIMEXTS1.0')) return Buffer.alloc(0);
  if (extension.readUInt8(14) !== 3 || extension.readUInt8(15) !== 1) return Buffer.alloc(0);
  return Buffer.concat([extension.subarray(0, 18), Buffer.of(0)]);
}
