import { openSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** Lines are written once they reach this size, or after a second. */
const FLUSH_BYTES = 4 * 1024;
const FLUSH_EVERY_MS = 1_000;
/** Lines that cannot be written are kept up to this size. Further lines are dropped, in groups. */
const MAX_UNWRITTEN_BYTES = 2 * 1024 * 1024;
/** Delay until a full pipe is tried again. */
const PIPE_RETRY_MS = 10;
/** How long an exiting process waits for a reader that does not read. */
const EXIT_FLUSH_TIMEOUT_MS = 200;
const FILE_MODE = 0o640;

export interface LogFile extends DestinationStream {
  /** Writes the buffered lines and closes the file. Later lines are dropped. */
  close(): void;
}

/** Functions that write the buffered lines. Each returns whether a full pipe keeps lines back. */
const flushes = new Set<() => boolean>();
process.on('exit', () => {
  const until_ms = performance.now() + EXIT_FLUSH_TIMEOUT_MS;
  for (const flush of flushes) {
    while (flush() && performance.now() < until_ms)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_RETRY_MS);
    flush(); // once more after the deadline
  }
});
let standard: DestinationStream | undefined;

/** Standard output, shared by all loggers of the process. */
export function standardOutput(): DestinationStream {
  standard ??= logOutput(1);
  return standard;
}

/** A file to append lines to, readable by this user and its group only. */
export function logFile(path: string): LogFile {
  return logOutput(openSync(path, 'a', FILE_MODE));
}

/** Never blocks: a stopped or missing reader or a full disk does not delay the process. */
function logOutput(fd: number): LogFile {
  if (fd === 1) void process.stdout; // makes Node set the pipe to non-blocking
  const output = pino.destination({
    dest: fd,
    sync: true,
    minLength: 1, // writes at once: `lines` is the buffer
    maxLength: MAX_UNWRITTEN_BYTES,
    retryEAGAIN: () => false, // it would sleep
  });
  /** The latest lines. The destination could collect them, but would measure all that it has with each one. */
  let lines = '';
  let retry: NodeJS.Timeout | undefined;
  /** Set while there may be buffered lines. */
  let nextFlush: NodeJS.Timeout | undefined;
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EAGAIN') retry ??= setTimeout(flush, PIPE_RETRY_MS).unref();
    else if (code !== 'EPIPE' && flushes.has(flush)) flushWithin(FLUSH_EVERY_MS); // the disk may be full
  });
  function passOn(): void {
    const passed = lines;
    lines = '';
    if (passed !== '') output.write(passed);
  }
  /** Tries once. `flushSync` would retry forever on a full disk. */
  function flush(): boolean {
    clearTimeout(retry);
    retry = undefined;
    passOn();
    output.flush();
    return retry !== undefined;
  }
  function flushWithin(ms: number): void {
    nextFlush ??= setTimeout(() => {
      nextFlush = undefined;
      flush();
    }, ms).unref();
  }
  flushes.add(flush);
  return {
    write: (line) => {
      if (!flushes.has(flush)) return;
      lines += line;
      if (lines.length >= FLUSH_BYTES) passOn();
      flushWithin(FLUSH_EVERY_MS);
    },
    close: () => {
      if (!flushes.delete(flush)) return;
      flush();
      clearTimeout(retry);
      clearTimeout(nextFlush);
      output.destroy();
    },
  };
}
