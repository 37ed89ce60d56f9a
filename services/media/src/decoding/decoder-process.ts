import { rmSync } from 'node:fs';
import { residentBytes } from '@gatehouse/kit/system/resident-bytes';
import sharp from 'sharp';
import { cleanPicture } from './clean-picture.ts';
import type { DecoderMessage } from './decoded.ts';

/** Interval of the memory check: libvips can allocate about a gigabyte a second. */
const MEMORY_CHECK_MS = 25;

const [, , memory, folder] = process.argv;
const memory_bytes = Number(memory);

sharp.cache(false);
sharp.concurrency(1);

// Pictures arrive one at a time.
process.on('message', (bytes: Buffer) => {
  // libvips allocates outside V8's heap, where no other limit applies. It runs in threads of its own, so this timer
  // still fires.
  const memoryCheck = setInterval(() => {
    if ((residentBytes() ?? 0) > memory_bytes) send({ kind: 'out_of_memory' });
  }, MEMORY_CHECK_MS);
  void cleanPicture(bytes).then((result) => {
    clearInterval(memoryCheck);
    send({ kind: 'decoded', result });
  });
});
// The service is gone. An orderly exit would wait for the current picture.
process.on('disconnect', () => {
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});
send({ kind: 'ready' });

function send(message: DecoderMessage): void {
  process.send?.(message);
}
