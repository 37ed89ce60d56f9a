import { batcher } from '@gatehouse/kit/batch';

/** Decodes an image to its end; a text says why that failed. */
export type Inspect = (bytes: Buffer) => Promise<{ readonly animated: boolean } | string>;

const MAX_SIDE = 8192;
/** Of all frames together: four times the largest single image. */
const MAX_PIXELS = 4 * MAX_SIDE * MAX_SIDE;
const TIMEOUT_SECONDS = 5;
/** The largest images take some 600 MB while they are decoded, so it is one at a time. */
const QUEUE = { maxBatch: 1, maxInFlight: 1, maxQueue: 32 };

export function imageInspector(): Inspect {
  return batcher({ run: async ([bytes]) => (bytes === undefined ? [] : [await inspect(bytes)]), ...QUEUE });
}

async function inspect(bytes: Buffer): Promise<{ readonly animated: boolean } | string> {
  const sharp = await loadSharp();
  const options = { pages: -1, failOn: 'error', limitInputPixels: MAX_PIXELS } as const;
  try {
    const { width, height, pageHeight = height, pages = 1 } = await sharp(bytes, options).metadata();
    if (width > MAX_SIDE || pageHeight > MAX_SIDE) return `Must be at most ${MAX_SIDE} pixels a side.`;
    // One pixel of everything: it cannot be had without decoding all of it.
    await sharp(bytes, options)
      .timeout({ seconds: TIMEOUT_SECONDS })
      .resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return { animated: pages > 1 };
  } catch {
    return 'Must be an image that can be decoded.';
  }
}

/** Loaded with the first avatar: a service that sees none does without its 20 MB. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
