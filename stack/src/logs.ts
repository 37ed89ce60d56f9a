import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A log that has grown beyond this is put aside at the next start, over the one put aside before. */
const KEEP_BYTES = 50 << 20;

/** DATA_DIR/logs, one file a process; a log may name people, so it is this user's alone. */
export function makeLogFolder(data_dir: string): string {
  const folder = join(data_dir, 'logs');
  mkdirSync(data_dir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > KEEP_BYTES) renameSync(file, `${file}.1`);
  }
  return folder;
}
