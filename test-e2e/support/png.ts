import { randomFillSync } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour, small for its number of pixels. A non-empty filler becomes a chunk that decoders ignore. */
export function png(side: number, grey: number, filler: Buffer = Buffer.alloc(0)): Buffer {
  const extra = filler.length === 0 ? [] : [chunk('fiLr', filler)];
  return encode(side, Buffer.alloc(rowBytes(side) * side, grey), 1, extra);
}

/** An uncompressed PNG of random pixels. */
export function noisePng(side: number): Buffer {
  return encode(side, randomFillSync(Buffer.alloc(rowBytes(side) * side)), 0);
}

/** A row's filter byte and its pixels of three bytes. */
const rowBytes = (side: number): number => 1 + side * 3;

function encode(side: number, rows: Buffer, level: number, extra: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, RGB
  for (let row = 0; row < side; row++) rows[row * rowBytes(side)] = 0; // no filter
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = chunk('IDAT', deflateSync(rows, { level }));
  return Buffer.concat([signature, chunk('IHDR', header), ...extra, pixels, chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)]);
}

/** A PNG of exactly `size` bytes. */
export function pngOf(size: number): Buffer {
  const rest = png(1, 9, Buffer.alloc(1)).length - 1;
  return png(1, 9, Buffer.alloc(size - rest, 'x'));
}
