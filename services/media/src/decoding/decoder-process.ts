import { rmSync } from 'node:fs';
import { residentBytes } from '@gatehouse/kit/system/resident-bytes';
import sharp from 'sharp';
import { cleanPicture } from './clean-picture.ts';
import type { FromDecoder } from './decoded.ts';

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
    if ((residentBytes() ?? 0) > memory_bytes) tell({ kind: 'out_of_memory' });
  }, LOOK_EVERY_MS);
  void cleanPicture(bytes).then((result) => {
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
