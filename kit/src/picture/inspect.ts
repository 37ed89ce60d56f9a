import { batcher } from '../batch.ts';
import { cancelled, unavailable } from '../fault.ts';

/** Decodes an image to its end; a text says why that failed. */
export type Inspect = (bytes: Buffer, sender: Sender) => Promise<Inspected | string>;

/** Who sends an image. */
export interface Sender {
  /** Such as an account. */
  readonly id: string;
  /** Nothing is begun for one who has gone. */
  readonly signal: AbortSignal;
}

export interface Inspected {
  readonly animated: boolean;
}

const MAX_SIDE = 8192;
/** Of all frames together: four times the largest single image. */
const MAX_PIXELS = 4 * MAX_SIDE * MAX_SIDE;
const TIMEOUT_SECONDS = 5;
/** The largest images take some 600 MB while they are decoded, so it is one at a time. */
const QUEUE = { maxBatch: 1, maxInFlight: 1, maxQueue: 32 };

/** Of one sender: the dearest images take seconds, and others wait for their turn too. */
const MAX_OF_SENDER = 2;

interface Waiting {
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
}

/**
 * One image at a time, in the order of their arrival. What would wait too long is UNAVAILABLE, and so is
 * a sender's third while two are not done.
 */
export function imageInspector(): Inspect {
  const inTurn = batcher<Waiting, Inspected | string>({
    run: async ([waiting]) => (waiting === undefined ? [] : [await inspect(waiting)]),
    ...QUEUE,
  });
  const sent = new Map<string, number>();
  return async (bytes, { id, signal }) => {
    const before = sent.get(id) ?? 0;
    if (before >= MAX_OF_SENDER) throw unavailable(new Error(`${before} images of one sender wait already`));
    sent.set(id, before + 1);
    try {
      return await inTurn({ bytes, signal });
    } finally {
      const left = (sent.get(id) ?? 1) - 1;
      if (left === 0) sent.delete(id);
      else sent.set(id, left);
    }
  };
}

async function inspect({ bytes, signal }: Waiting): Promise<Inspected | string> {
  if (signal.aborted) throw cancelled();
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

/** Loaded with the first image: a process that sees none does without its 20 MB. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
