import { writeSync } from 'node:fs';

const WRITE_RETRY_MS = 1;
/** After this time without progress, writes no longer wait for the reader, until it reads again. */
const WRITE_TIMEOUT_MS = 200;
const NO_PREFIX = Buffer.alloc(0);
const NEW_LINE = Buffer.from('\n');

/** File descriptors whose readers have stopped reading, each with a prefix for its next write, to end a cut-off line. */
const stuck = new Map<number, Buffer>();

/**
 * Writes to a file descriptor, usually 1 or 2, and waits briefly for a slow reader. Drops bytes that
 * cannot be written (a reader that is slow or gone, a full disk): diagnostic output neither ends nor blocks a process.
 */
export function writeBestEffort(fd: number, text: string | Uint8Array): void {
  makeNonBlocking(fd);
  const prefix = stuck.get(fd);
  const bytes = Buffer.concat([prefix ?? NO_PREFIX, typeof text === 'string' ? Buffer.from(text) : text]);
  const until_ms = prefix === undefined ? performance.now() + WRITE_TIMEOUT_MS : 0;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
      stuck.delete(fd);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      if (performance.now() >= until_ms) {
        stuck.set(fd, at > 0 ? NEW_LINE : (prefix ?? NO_PREFIX));
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_RETRY_MS);
    }
  }
}

/** Node sets a pipe of standard output to non-blocking on first access. Otherwise a write would block the process. */
function makeNonBlocking(fd: number): void {
  if (fd === 1) void process.stdout;
  else if (fd === 2) void process.stderr;
}
