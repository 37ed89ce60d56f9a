import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './say.mjs';

/** No action under the lock takes this long, so an older lock is abandoned. */
const STALE_MS = 15 * 60_000;
/** A new lock gets its owner's name within this time, unless the disk is full. */
const NAMELESS_MS = 5_000;

/** Runs an action while no other start in this clone runs one. The action must check again what is left to do. */
export async function withLock(root, action) {
  const lock = join(root, '.toolchain/lock');
  mkdirSync(join(root, '.toolchain'), { recursive: true });
  let waiting = false;
  while (!take(lock)) {
    if (isStale(lock)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!waiting) say('waiting for another start in this clone to finish installing and generating');
    waiting = true;
    await sleep(200);
  }
  try {
    return await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock) {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (Date.now() - statSync(lock).mtimeMs > (holder > 0 ? STALE_MS : NAMELESS_MS)) return true;
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH'; // EPERM means alive under another user; ENOENT means just released.
  }
}
