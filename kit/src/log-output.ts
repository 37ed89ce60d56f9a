import { closeSync, openSync } from 'node:fs';
import { tell } from './tell.ts';

/** Lines are written when the buffer is full, or after a second. */
const BUFFER_BYTES = 64 * 1024;
const FLUSH_EVERY_MS = 1_000;

export interface LogOutput {
  write(line: string): void;
  /** Writes what has gathered. */
  flush(): void;
}

export interface LogFile extends LogOutput {
  /** Writes what has gathered, and closes the file. Lines that come later are dropped. */
  close(): void;
}

const FILE_MODE = 0o640;

/** Flushed each second, and when the process exits. */
const kept = new Set<LogOutput>();
let flushing: NodeJS.Timeout | undefined;
let standard: LogOutput | undefined;

/** Standard output, for all loggers of the process. */
export function standardOutput(): LogOutput {
  standard ??= keep(logOutput(1));
  return standard;
}

/** A file that lines are added to, which only this user and its group may read. */
export function logFile(path: string): LogFile {
  const fd = openSync(path, 'a', FILE_MODE);
  const output = keep(logOutput(fd));
  return {
    flush: output.flush,
    write: (line) => {
      if (kept.has(output)) output.write(line);
    },
    close: () => {
      if (!kept.delete(output)) return;
      output.flush();
      closeSync(fd);
    },
  };
}

function keep(output: LogOutput): LogOutput {
  if (flushing === undefined) {
    flushing = setInterval(flushAll, FLUSH_EVERY_MS).unref();
    process.on('exit', flushAll);
  }
  kept.add(output);
  return output;
}

function flushAll(): void {
  for (const output of kept) output.flush();
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
