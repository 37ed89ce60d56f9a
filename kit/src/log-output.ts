import { writeSync } from 'node:fs';

/** Lines are written when the buffer is full, or after a second. */
const BUFFER_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 1_000;
const RETRY_MS = 1;

export interface LogOutput {
  write(line: string): void;
  /** Writes what has gathered. */
  flush(): void;
}

let standard: LogOutput | undefined;

/** Standard output, for all loggers of the process. It is flushed when the process exits. */
export function standardOutput(): LogOutput {
  if (standard !== undefined) return standard;
  const output = logOutput(1);
  setInterval(output.flush, FLUSH_EVERY_MS).unref();
  process.on('exit', output.flush);
  standard = output;
  return output;
}

/** Gathers lines for a file descriptor in one buffer. */
export function logOutput(fd: number): LogOutput {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;

  function flush(): void {
    writeWhole(fd, buffer.subarray(0, used));
    used = 0;
  }

  return {
    flush,
    write: (line) => {
      const most = line.length * 3; // UTF-16 as UTF-8
      if (most > BUFFER_BYTES - used) flush();
      if (most > BUFFER_BYTES) writeWhole(fd, Buffer.from(line));
      else used += buffer.write(line, used);
    },
  };
}

/** Waits for a slow reader. If writing fails for any other reason, the lines are dropped. */
function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
