import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface AtomicFile {
  readonly path: string;
  readonly text: string;
  /** This user's alone unless given. */
  readonly mode?: number;
}

/**
 * Writes files that are read at a later start, such as keys: each is there whole or, after a crash or with a full disk, as
 * it was before. All are on the disk before the first one takes its place. Their folders are made if need be.
 */
export function writeFilesAtomically(files: readonly AtomicFile[]): void {
  const drafts = files.map(({ path }) => `${path}.new`);
  try {
    for (const { path, text, mode = 0o600 } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeToDisk(`${path}.new`, text, mode);
    }
    for (const { path } of files) renameSync(`${path}.new`, path);
  } catch (error) {
    for (const draft of drafts) rmSync(draft, { force: true });
    throw error;
  }
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) syncFolder(folder);
}

/** What a file says. One that is empty is none, as is what an earlier version left with a full disk. */
export function readNonEmptyFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.trim() === '' ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A draft that is there may be anybody's to read: it is removed first. */
function writeToDisk(path: string, text: string, mode: number): void {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch {
    // Not every file system knows this; the file is whole all the same.
  } finally {
    closeSync(folder);
  }
}
