import { tell } from './tell.ts';

/** Lines are written when the buffer is full, or after a second. */
const BUFFER_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 1_000;

export interface LogOutput {
  write(line: string): void;
  /** Writes what has gathered. */
  flush(): void;
}

let standard: LogOutput | undefined;

/** Standard output, for all loggers of the process. It is flushed when the process exits. */
export function standardOutput(): LogOutput {
  if (standard !== undefined) return standard;
  standard = flushedOutput(1);
  return standard;
}

/** One that is flushed each second, and when the process exits. */
export function flushedOutput(fd: number): LogOutput {
  const output = logOutput(fd);
  setInterval(output.flush, FLUSH_EVERY_MS).unref();
  process.on('exit', output.flush);
  return output;
}

/** Gathers lines for a file descriptor in one buffer. Those that cannot be written are dropped. */
export function logOutput(fd: number): LogOutput {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;

  function flush(): void {
    tell(fd, buffer.subarray(0, used));
    used = 0;
  }

  return {
    flush,
    write: (line) => {
      const most = line.length * 3; // UTF-16 as UTF-8
      if (most > BUFFER_BYTES - used) flush();
      if (most > BUFFER_BYTES) tell(fd, line);
      else used += buffer.write(line, used);
    },
  };
}
