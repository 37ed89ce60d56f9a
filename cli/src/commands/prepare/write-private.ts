import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Writes a file that this user alone may read. What is there already stays. */
export function writePrivate(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFilesAtomically([{ path, text }]);
}
