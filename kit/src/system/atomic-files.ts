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
  /** Default: readable and writable by this user only. */
  readonly mode?: number;
}

/**
 * Writes files that are read at a later start, such as keys. After a crash or on a full disk, each has either its new
 * or its old content. All drafts are on disk before the first one is renamed. Creates missing folders.
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

/** Reads a file; undefined if it is missing or empty, which an earlier version could leave on a full disk. */
export function readNonEmptyFile(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text.trim() === '' ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes an existing draft first, because others may be able to read it. */
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
    // Not every file system supports this; the file is complete all the same.
  } finally {
    closeSync(folder);
  }
}
