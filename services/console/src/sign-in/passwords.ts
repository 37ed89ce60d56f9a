import { concurrency } from '@gatehouse/kit/queues/concurrency';
import { type Algorithm, hash, verify } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of an unknown password, at the usual cost. */
const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$VNbODu0sv5ENb/QyCRGwXg$rluYTWQcAbf+nDGFt2iMJtPwlZGP7BVgiPhG1fL3bD8';

/** One at a time: operators are few, and each hash takes a core for about 25 ms. */
const inTurn = concurrency({ at_once: 1, max_waiting: 100 });

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Without a hash it takes as long as with one, and returns false. */
export async function verifyPassword(password: string, password_hash: string | undefined): Promise<boolean> {
  const matches = await inTurn(() => verify(password_hash ?? DECOY_HASH, password));
  return matches && password_hash !== undefined;
}
