const RIFF_HEAD = 12;
const CHUNK_HEAD = 8;
/** Bytes of a frame before its chunks: position, size, duration and how it is drawn. */
const FRAME_HEAD = 16;
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
  const end = Math.min(bytes.length, CHUNK_HEAD + bytes.readUInt32LE(4));
  for (const { name, data } of chunks(bytes.subarray(RIFF_HEAD, end))) {
    if (name === 'VP8X') kept.push(chunk(name, extendedHead(data)));
    else if (name === 'ANIM') kept.push(chunk(name, data.subarray(0, 6)));
    else if (name === 'ANMF') kept.push(chunk(name, frame(data)));
  }
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept]);
  return chunk('RIFF', body);
}

function* chunks(bytes: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  for (let at = 0; at + CHUNK_HEAD <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const from = at + CHUNK_HEAD;
    yield { name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(from, from + length) };
    at = from + length + (length % 2);
  }
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(CHUNK_HEAD);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function extendedHead(data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  data.copy(head, 4, 4, 10);
  head.writeUInt8(data.readUInt8(0) & ALPHA_AND_ANIMATION);
  return head;
}

/** @throws Error if the frame has more bytes than its pixels can need, which must be other data */
function frame(data: Buffer): Buffer {
  const images = [...chunks(data.subarray(FRAME_HEAD))].filter(({ name }) => IMAGE_CHUNKS.has(name));
  const pixels = (data.readUIntLE(6, 3) + 1) * (data.readUIntLE(9, 3) + 1);
  const bytes = images.reduce((sum, { data: image }) => sum + image.length, 0);
  if (bytes > pixels * WEBP_BYTES_PER_PIXEL + WEBP_EXTRA_BYTES)
    throw new Error('a frame has bytes that are no pixels');
  return Buffer.concat([
    data.subarray(0, FRAME_HEAD),
    ...images.map((image) => chunk(image.name, image.data)),
  ]);
}
