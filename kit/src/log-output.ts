import { openSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** Lines are written when so many bytes have come, or after a second. */
const WRITTEN_TOGETHER_BYTES = 4 * 1024;
const FLUSH_EVERY_MS = 1_000;
/** Lines that cannot be written wait; what comes beyond this is dropped. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;
/** A pipe that took nothing is tried again after this. */
const RETRY_MS = 10;
/** At its exit, a process waits so long for a reader who takes nothing. */
const PATIENCE_MS = 200;
const FILE_MODE = 0o640;

export interface LogFile extends DestinationStream {
  /** Writes what has gathered, and closes the file. Lines that come later are dropped. */
  close(): void;
}

/** Each writes what has gathered, and tells whether the rest has to wait for the reader. */
const flushes = new Set<() => boolean>();
process.on('exit', () => {
  const until_ms = performance.now() + PATIENCE_MS;
  for (const flush of flushes) {
    while (flush() && performance.now() < until_ms)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    flush(); // the remainder, which is too short to be written by itself
  }
});
let standard: DestinationStream | undefined;

/** Standard output, for all loggers of the process. */
export function standardOutput(): DestinationStream {
  standard ??= logOutput(1);
  return standard;
}

/** A file that lines are added to, which only this user and its group may read. */
export function logFile(path: string): LogFile {
  return logOutput(openSync(path, 'a', FILE_MODE));
}

/** Never waits: a reader who has stopped or gone, or a full disk, does not hold the process up. */
function logOutput(fd: number): LogFile {
  if (fd === 1) void process.stdout; // Node makes a pipe non-blocking when it is first asked for
  const output = pino.destination({
    dest: fd,
    sync: true,
    minLength: WRITTEN_TOGETHER_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    retryEAGAIN: () => false, // it would sleep
  });
  let retry: NodeJS.Timeout | undefined;
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EAGAIN') retry ??= setTimeout(flush, RETRY_MS).unref();
  });
  /** Tries once. `flushSync` would try for ever where the disk is full. */
  function flush(): boolean {
    clearTimeout(retry);
    retry = undefined;
    output.flush();
    return retry !== undefined;
  }
  flushes.add(flush);
  return {
    write: (line) => {
      if (flushes.has(flush)) output.write(line);
    },
    close: () => {
      if (!flushes.delete(flush)) return;
      flush();
      clearTimeout(retry);
      output.destroy();
    },
  };
}
