import { lzwLength } from './lzw-length.ts';

const GIF_HEADER_BYTES = 13;
/** The position of the flags of the global color table in the header. */
const SCREEN_FLAGS = 10;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Positions in an image descriptor, from its introducer on. */
const WIDTH = 5;
const HEIGHT = 7;
const IMAGE_FLAGS = 9;
const DESCRIPTOR_BYTES = 10;
const MAX_BLOCK = 255;
/** A pixel takes at most one code of 12 bits, and clear codes, which some encoders write often. */
const GIF_BYTES_PER_PIXEL = 2;
const GIF_EXTRA_BYTES = 64;

/**
 * Strips a GIF to its frames, delays and repeat count: no comments, text, application data or trailing bytes. Copies the
 * frames, because encoding them again would take seconds.
 */
export function stripGif(bytes: Buffer): Buffer {
  let start = GIF_HEADER_BYTES + colorTable(bytes.readUInt8(SCREEN_FLAGS));
  const kept: Buffer[] = [bytes.subarray(0, start)];
  while (start < bytes.length) {
    const introducer = bytes.readUInt8(start);
    if (introducer !== IMAGE && introducer !== EXTENSION) break;
    const blocks = introducer === IMAGE ? imageBlocksAt(bytes, start) : start + 2;
    const end = endOfBlocks(bytes, blocks);
    const part = bytes.subarray(start, end);
    kept.push(introducer === IMAGE ? stripImage(part, blocks - start) : stripExtension(part));
    start = end;
  }
  return Buffer.concat([...kept, Buffer.of(TRAILER)]);
}

/** The position of an image's data blocks: after the descriptor, the color table and the number of root bits. */
function imageBlocksAt(bytes: Buffer, start: number): number {
  return start + DESCRIPTOR_BYTES + colorTable(bytes.readUInt8(start + IMAGE_FLAGS)) + 1;
}

/** The size of a color table. The flags before it say whether there is one. */
function colorTable(flags: number): number {
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

function stripImage(image: Buffer, blocks: number): Buffer {
  const pixels = image.readUInt16LE(WIDTH) * image.readUInt16LE(HEIGHT);
  const root_bits = image.readUInt8(blocks - 1);
  return Buffer.concat([image.subarray(0, blocks), imageBlocks(image.subarray(blocks), root_bits, pixels)]);
}

/**
 * The data blocks of a frame's pixels, without trailing bytes.
 *
 * @throws Error if the frame has more bytes than its pixels can need, which must be other data
 */
function imageBlocks(blocks: Buffer, root_bits: number, pixels: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < blocks.length && blocks.readUInt8(at) > 0; at += 1 + blocks.readUInt8(at))
    parts.push(blocks.subarray(at + 1, at + 1 + blocks.readUInt8(at)));
  const data = Buffer.concat(parts);
  const end = lzwLength(data, root_bits, pixels);
  if (end > pixels * GIF_BYTES_PER_PIXEL + GIF_EXTRA_BYTES)
    throw new Error('a frame has bytes that are not pixels');
  const kept: Buffer[] = [];
  for (let at = 0; at < end; at += MAX_BLOCK) {
    const part = data.subarray(at, Math.min(at + MAX_BLOCK, end));
    kept.push(Buffer.of(part.length), part);
  }
  return Buffer.concat([...kept, Buffer.of(0)]);
}

/** Empty for comments, text and most applications. */
function stripExtension(extension: Buffer): Buffer {
  const label = extension.readUInt8(1);
  if (label === GRAPHIC_CONTROL) return graphicControl(extension);
  return label === APPLICATION ? repeatCount(extension) : Buffer.alloc(0);
}

/** Keeps only the first block, of four bytes. */
function graphicControl(extension: Buffer): Buffer {
  if (extension.length < 8 || extension.readUInt8(2) !== 4) return Buffer.alloc(0);
  return Buffer.concat([extension.subarray(0, 7), Buffer.of(0)]);
}

/** Keeps the repeat count, as browsers read it. Empty for other applications. */
function repeatCount(extension: Buffer): Buffer {
  const name = extension.toString('latin1', 3, 14);
  if (extension.length < 19 || (name !== 'NETSCAPE2.0' && name !== 'ANIMEXTS1.0')) return Buffer.alloc(0);
  if (extension.readUInt8(14) !== 3 || extension.readUInt8(15) !== 1) return Buffer.alloc(0);
  return Buffer.concat([extension.subarray(0, 18), Buffer.of(0)]);
}
