import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** The account of a child process, as options of spawn; empty: this process's own. */
export type Account = { readonly uid: number; readonly gid: number } | Record<string, never>;

const OWN_ACCOUNT: Account = {};

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * PostgreSQL refuses to run as root. Root runs it as the owner of existing data, or as nobody; other users run it as
 * themselves.
 */
export async function postgresAccount(data: string): Promise<Account> {
  const owner = await lstat(data).catch(() => undefined);
  const uid = process.getuid?.();
  if (owner !== undefined && uid !== 0 && owner.uid !== uid) {
    throw new Error(`${data} belongs to another user (uid ${owner.uid}); choose another DATA_DIR`);
  }
  if (!isRoot()) return OWN_ACCOUNT;
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

/** Tests access as that account, because modes, ACLs and mounts of every parent folder count. */
export function canEnter(folder: string, account: Account): boolean {
  if (account.uid === undefined) return canEnterItself(folder);
  return spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;
}

function canEnterItself(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function idOfNobody(which: '-u' | '-g'): number {
  return Number.parseInt(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }), 10);
}
