import type { Algorithm } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
export const COST = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** The prefix of every hash of this cost (PHC string format). */
const PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** Whether a hash has another cost than new hashes. */
export function isOutdatedHash(password_hash: string): boolean {
  return !password_hash.startsWith(PREFIX);
}
