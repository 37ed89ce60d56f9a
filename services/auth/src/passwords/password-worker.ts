import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { COST } from './password-cost.ts';

// A thread of ./password-threads.ts: one password at a time, in the order in which they come.

export interface PasswordJob {
  readonly id: number;
  readonly password: string;
  /** What it is to match; undefined: it is to be hashed. */
  readonly password_hash: string | undefined;
}

export interface PasswordResult {
  readonly id: number;
  /** The hash, or whether it matches; undefined: it could not be done. */
  readonly result: string | boolean | undefined;
}

/** Whatever else waits for a core goes first. */
const NICE = 10;

// On Linux this is the calling thread's alone; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(0, NICE);

parentPort?.on('message', ({ id, password, password_hash }: PasswordJob) => {
  parentPort?.postMessage({ id, result: done(password, password_hash) } satisfies PasswordResult);
});

function done(password: string, password_hash: string | undefined): string | boolean | undefined {
  try {
    return password_hash === undefined ? hashSync(password, COST) : verifySync(password_hash, password);
  } catch {
    return undefined;
  }
}
