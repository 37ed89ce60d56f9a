import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * A temporary folder to run a suite or a database in. PostgreSQL's own account may pass through it, so
 * that the cluster lies inside and goes with it, even when root runs the tests.
 */
export async function testDataFolder(name: string): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), `gatehouse-${name}-`));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
