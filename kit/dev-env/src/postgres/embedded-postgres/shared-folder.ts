import { chmod, lstat, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from './account.ts';

/**
 * A folder outside of the clone. Root's can be entered by every account, and written by root only; it is in /var/lib,
 * because files in /var/tmp are removed by age.
 */
export async function sharedFolder(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = isRoot() ? '/var/lib/gatehouse' : join(cache, 'gatehouse');
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o711);
  await assertOurs(folder);
  return folder;
}

/** Refuses a folder that another user created, or can write to. */
export async function assertOurs(folder: string): Promise<void> {
  const found = await lstat(folder);
  const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (!ours) throw new Error(`${folder} must be a folder that only this user can write to; it is not used`);
}
