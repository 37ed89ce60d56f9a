import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The logs of a stack's processes, by file name. */
export async function readLogs(data_dir: string): Promise<Map<string, string>> {
  const folder = join(data_dir, 'logs');
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}
