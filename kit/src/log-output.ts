import { openSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** Lines are written when so many bytes have come, or after a second. */
const WRITTEN_TOGETHER_BYTES = 4 * 1024;
const FLUSH_EVERY_MS = 1_000;
/** Lines that cannot be written wait; what comes beyond this is dropped. */
const MAX_WAITING_BYTES = 256 * 1024;
const FILE_MODE = 0o640;

export interface LogFile extends DestinationStream {
  /** Writes what has gathered, and closes the file. Lines that come later are dropped. */
  close(): void;
}

const flushes = new Set<() => void>();
process.on('exit', () => {
  for (const flush of flushes) flush();
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

/** Waits for a slow reader. If the reader is gone or the disk is full, the process goes on. */
function logOutput(fd: number): LogFile {
  const output = pino.destination({
    dest: fd,
    sync: true,
    minLength: WRITTEN_TOGETHER_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  });
  output.on('error', () => undefined); // otherwise it would end the process
  /** Tries once. `flushSync` would try for ever where the disk is full. */
  const flush = (): void => output.flush();
  flushes.add(flush);
  return {
    write: (line) => {
      if (flushes.has(flush)) output.write(line);
    },
    close: () => {
      if (!flushes.delete(flush)) return;
      flush();
      output.destroy();
    },
  };
}
