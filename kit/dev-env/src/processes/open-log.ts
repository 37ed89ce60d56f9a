import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Opens a log to append to, and hands it to `action` as what a process may have for its output. The folder is made again
 * if it is gone. A log that cannot be opened is left out, as a process runs without its log too.
 */
export function withLog<T>(file: string, mode: number, action: (output: number | 'ignore') => T): T {
  const log = open(file, mode);
  try {
    return action(log ?? 'ignore');
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

function open(file: string, mode: number): number | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'a', mode);
  } catch {
    return undefined;
  }
}
