import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Opens a log for appending, and passes it to `action` as a child's output. Creates a missing folder. If the log
 * cannot be opened, the child runs without one.
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
