import { type Concurrency, concurrency } from '../concurrency.ts';

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
const IN_ALL = { at_once: 1, max_waiting: 32 };
/** Of one sender: the dearest images take seconds, and others are not to wait for more than one of them. */
const OF_ONE_SENDER = { at_once: 1, max_waiting: 32 };

/**
 * One image at a time, in the order of their arrival; a sender's next one comes in when its last is done.
 * What would wait too long is UNAVAILABLE.
 */
export function imageInspector(): Inspect {
  const inTurn = concurrency(IN_ALL);
  const senders = new Map<string, { inTurn: Concurrency; open: number }>();
  return async (bytes, { id, signal }) => {
    const sender = senders.get(id) ?? { inTurn: concurrency(OF_ONE_SENDER), open: 0 };
    senders.set(id, sender);
    sender.open++;
    try {
      return await sender.inTurn(() => inTurn(() => inspect(bytes), signal), signal);
    } finally {
      if (--sender.open === 0) senders.delete(id);
    }
  };
}

async function inspect(bytes: Buffer): Promise<Inspected | string> {
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
