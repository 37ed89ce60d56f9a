import { rmSync } from 'node:fs';
import sharp from 'sharp';
import { gifCanvasSide } from '../pictures/gif-canvas.ts';
import { type Decoded, type FromDecoder, UNREADABLE } from './decoded.ts';

const MAX_SIDE = 8192;
/** Of all frames together: four times the largest single image. */
const MAX_PIXELS = 4 * MAX_SIDE * MAX_SIDE;
const TIMEOUT_SECONDS = 5;
/** libvips takes memory at about a gigabyte a second. */
const LOOK_EVERY_MS = 25;

const [, , memory, folder] = process.argv;
const memory_bytes = Number(memory);

sharp.cache(false);
sharp.concurrency(1);

// Pictures come one at a time.
process.on('message', (bytes: Buffer) => {
  // What libvips takes is outside V8's heap and bounded by nothing else. It works on threads of its own, so this
  // runs meanwhile.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > memory_bytes) tell({ kind: 'out_of_memory' });
  }, LOOK_EVERY_MS);
  void decode(bytes).then((result) => {
    clearInterval(watch);
    tell({ kind: 'decoded', result });
  });
});
// The service is gone, in whatever way. An orderly exit would wait for the picture that is being decoded.
process.on('disconnect', () => {
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
tell({ kind: 'ready' });

function tell(message: FromDecoder): void {
  process.send?.(message);
}

async function decode(bytes: Buffer): Promise<Decoded | string> {
  const options = { pages: -1, failOn: 'error', limitInputPixels: MAX_PIXELS } as const;
  try {
    const { width, height, pageHeight = height, pages = 1 } = await sharp(bytes, options).metadata();
    if (Math.max(width, pageHeight, gifCanvasSide(bytes)) > MAX_SIDE)
      return `Must be at most ${MAX_SIDE} pixels a side.`;
    // One pixel of everything: it cannot be had without decoding all of it.
    await sharp(bytes, options)
      .timeout({ seconds: TIMEOUT_SECONDS })
      .resize({ width: 1, height: 1, fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer();
    return { animated: pages > 1 };
  } catch {
    return UNREADABLE;
  }
}
