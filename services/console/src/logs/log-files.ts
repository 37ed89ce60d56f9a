import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of JSON lines. */
export interface LogFile {
  readonly path: string;
  /** The services whose lines it has: several if they share a process. */
  readonly services: readonly string[];
  readonly bytes: number;
  readonly changed_ms: number;
}

const NAME = /^([a-z0-9+-]{1,200}?)(?:-\d+)?\.log(?:\.\d{1,3})?$/;
const MAX_FILES = 200;

/**
 * The files of a folder of logs: `auth.log`, an older `auth.log.1`, `auth-2.log` of a replica, `gateway+auth.log` of a
 * shared process. Those that changed last come first. Anything else in the folder is left out, also links.
 */
export async function logFiles(dir: string): Promise<LogFile[]> {
  const names = (await readdir(dir)).filter((name) => NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const about = await lstat(path).catch(() => undefined); // it may just be renamed
      if (about?.isFile() !== true) return [];
      const services = (NAME.exec(name)?.[1] ?? '').split('+');
      return [{ path, services, bytes: about.size, changed_ms: about.mtimeMs }];
    }),
  );
  return files
    .flat()
    .toSorted((one, other) => other.changed_ms - one.changed_ms)
    .slice(0, MAX_FILES);
}
