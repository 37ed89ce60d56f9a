import { writeSync } from 'node:fs';

const RETRY_MS = 1;

/**
 * Writes to a file descriptor, 1 or 2 mostly, and waits for a slow reader. If that fails for any other reason (the reader
 * is gone, the disk is full), the text is dropped: a write that only tells something never ends a process.
 */
export function tell(fd: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
