import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFilesAtomically } from '@gatehouse/kit/system/atomic-files';

/** Writes a file that only this user may read, unless it has the same content already. */
export function writePrivate(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFilesAtomically([{ path, text }]);
}
