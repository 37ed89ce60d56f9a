import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Those that are there. A run that is ended early comes to remove none, and removes them as it exits. */
const folders = new Set<string>();

process.once('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
});

/**
 * A temporary folder to run a suite or a database in. PostgreSQL's own account may pass through it, so
 * that the cluster lies inside and goes with it, even when root runs the tests.
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
