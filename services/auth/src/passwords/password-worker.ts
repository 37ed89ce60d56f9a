import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { COST } from './password-cost.ts';

// A thread of ./password-threads.ts. It hashes one password at a time, in order of arrival.

export interface PasswordJob {
  readonly id: number;
  readonly password: string;
  /** The hash to verify against. Without it, the password is hashed. */
  readonly password_hash: string | undefined;
}

export interface PasswordResult {
  readonly id: number;
  /** The hash, or whether it matches; undefined if that failed. */
  readonly result: string | boolean | undefined;
}

parentPort?.on('message', ({ id, password, password_hash }: PasswordJob) => {
  parentPort?.postMessage({ id, result: hashOrVerify(password, password_hash) } satisfies PasswordResult);
});

function hashOrVerify(password: string, password_hash: string | undefined): string | boolean | undefined {
  try {
    return password_hash === undefined ? hashSync(password, COST) : verifySync(password_hash, password);
  } catch {
    return undefined;
  }
}
