import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { type Decoded, UNREADABLE } from './decoded.ts';
import { gifCanvasSide } from './gif-canvas.ts';
import { stripGif } from './strip-gif.ts';
import { stripWebp } from './strip-webp.ts';

const MAX_SIDE = 8192;
/** Maximum pixels of all frames together: four times the largest single image. */
const MAX_PIXELS = 4 * MAX_SIDE * MAX_SIDE;
const TIMEOUT_SECONDS = 5;
/** Maximum size of a stored picture. */
const MAX_STORED_BYTES = 1024 * 1024;
/** Maximum sides, tried in order until the picture is small enough, as every picture is at the last one. */
const STORED_SIDES = [2048, 1024, 480];
const STORED_TOO_LARGE =
  'Must be at most 1 MiB without what is not the picture, as GIFs and animations are not made smaller.';

const OPTIONS: SharpOptions = { pages: -1, failOn: 'error', limitInputPixels: MAX_PIXELS };

/** Decodes an image completely, and returns the picture alone. Returns the reason as text if it is refused. */
export async function cleanPicture(bytes: Buffer): Promise<Decoded | string> {
  try {
    const { width, height, pageHeight = height, pages = 1, format } = await sharp(bytes, OPTIONS).metadata();
    if (Math.max(width, pageHeight, gifCanvasSide(bytes)) > MAX_SIDE)
      return `Must be at most ${MAX_SIDE} pixels a side.`;
    const animated = pages > 1;
    if (format !== 'gif' && !animated) return { animated, bytes: await reencode(bytes) };
    await decodeToEnd(bytes);
    const stripped = format === 'gif' ? stripGif(bytes) : stripWebp(bytes);
    if (stripped.length > MAX_STORED_BYTES) return STORED_TOO_LARGE;
    await decodeToEnd(stripped);
    return { animated, bytes: stripped };
  } catch {
    return UNREADABLE;
  }
}

/** Reads a single pixel that depends on all others, which forces a complete decoding. */
async function decodeToEnd(bytes: Buffer): Promise<void> {
  await sharp(bytes, OPTIONS)
    .timeout({ seconds: TIMEOUT_SECONDS })
    .resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer();
}

/** Encodes a still picture again: without metadata, upright, in sRGB, and within the size limit. */
async function reencode(given: Buffer): Promise<Buffer> {
  const encoder = encoderFor(given);
  let bytes = given;
  for (const side of STORED_SIDES) {
    const image = sharp(bytes, OPTIONS).timeout({ seconds: TIMEOUT_SECONDS }).autoOrient().resize({
      width: side,
      height: side,
      fit: 'inside',
      withoutEnlargement: true,
      fastShrinkOnLoad: false,
    });
    bytes = await encoder(image).toBuffer();
    if (bytes.length <= MAX_STORED_BYTES) return bytes;
  }
  throw new Error('the smallest side has too many bytes');
}

const QUALITY = 90;

function encoderFor(bytes: Buffer): (image: Sharp) => Sharp {
  if (bytes.readUInt8(0) === 0x89) return (image) => image.png();
  if (bytes.readUInt8(0) === 0xff) return (image) => image.jpeg({ quality: QUALITY });
  // A chunk after the file header marks a lossless picture.
  const lossless = bytes.subarray(0, 4096).includes('VP8L');
  return (image) => image.webp({ lossless, quality: QUALITY, effort: lossless ? 0 : 2 });
}
