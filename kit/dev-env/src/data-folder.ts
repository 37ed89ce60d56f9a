import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** The existing folders. Those that a run did not remove, because it ended early, are removed at exit. */
const folders = new Set<string>();

process.once('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * Creates a temporary folder for a stack or a database. Every account may traverse it, because PostgreSQL has another
 * account if root runs the tests.
 */
export async function testDataFolder(name: string): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`));
  folders.add(path);
  await chmod(path, 0o711);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      folders.delete(path);
    },
  };
}
