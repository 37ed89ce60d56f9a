import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A larger log is renamed to `NAME.log.1` at the next start, over an earlier one. */
const KEEP_BYTES = 50 << 20;

/** DATA_DIR/logs. */
export function logFolder(data_dir: string): string {
  return join(data_dir, 'logs');
}

/**
 * Creates DATA_DIR/logs, with a file for each process. Only this user may read it, because logs may have personal
 * data.
 */
export function makeLogFolder(data_dir: string): string {
  const folder = logFolder(data_dir);
  mkdirSync(data_dir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > KEEP_BYTES) renameSync(file, `${file}.1`);
  }
  return folder;
}
