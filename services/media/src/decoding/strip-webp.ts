const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Bytes of a frame before its chunks: position, size, duration and how it is drawn. */
const FRAME_HEADER_BYTES = 16;
const WEBP_BYTES_PER_PIXEL = 4;
const WEBP_EXTRA_BYTES = 1024;
const IMAGE_CHUNKS: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);
/** Flags of the first chunk: alpha, and animation. */
const ALPHA_AND_ANIMATION = 0x12;

/**
 * Strips an animated WebP to its frames: no EXIF, XMP, color profile, unknown chunks or trailing bytes. Copies the
 * frames, because encoding them again would take seconds.
 */
export function stripWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  const end = Math.min(bytes.length, CHUNK_HEADER_BYTES + bytes.readUInt32LE(4));
  for (const { name, data } of chunks(bytes.subarray(RIFF_HEADER_BYTES, end))) {
    if (name === 'VP8X') kept.push(chunk(name, extendedHeader(data)));
    else if (name === 'ANIM') kept.push(chunk(name, data.subarray(0, 6)));
    else if (name === 'ANMF') kept.push(chunk(name, frame(data)));
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept]);
  return chunk('RIFF', body);
}

function* chunks(bytes: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  for (let at = 0; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const from = at + CHUNK_HEADER_BYTES;
    yield { name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(from, from + length) };
    at = from + length + (length % 2);
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  header.write(name, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

function extendedHeader(data: Buffer): Buffer {
  const header = Buffer.alloc(10);
  data.copy(header, 4, 4, 10);
  header.writeUInt8(data.readUInt8(0) & ALPHA_AND_ANIMATION);
  return header;
}

/** @throws Error if the frame has more bytes than its pixels can need, which must be other data */
function frame(data: Buffer): Buffer {
  const images = [...chunks(data.subarray(FRAME_HEADER_BYTES))].filter(({ name }) => IMAGE_CHUNKS.has(name));
  const pixels = (data.readUIntLE(6, 3) + 1) * (data.readUIntLE(9, 3) + 1);
  const bytes = images.reduce((sum, { data: image }) => sum + image.length, 0);
  if (bytes > pixels * WEBP_BYTES_PER_PIXEL + WEBP_EXTRA_BYTES)
    throw new Error('a frame has bytes that are not pixels');
  return Buffer.concat([
    data.subarray(0, FRAME_HEADER_BYTES),
    ...images.map((image) => chunk(image.name, image.data)),
  ]);
}
