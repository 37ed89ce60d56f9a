import { concurrency, type TurnWatch } from '@gatehouse/kit/concurrency';
import { traced } from '@gatehouse/kit/trace/current-span';
import { passwordThreads } from './password-threads.ts';

/** At about 25 ms each, the last one is still served within the deadline of a login. */
const MAX_WAITING = 200;

/** The hash of 32 random bytes that were thrown away, at the usual cost. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$VNbODu0sv5ENb/QyCRGwXg$rluYTWQcAbf+nDGFt2iMJtPwlZGP7BVgiPhG1fL3bD8';

/** Hashes passwords on threads of their own, a few at a time. */
export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** Without a hash it takes as long and returns false. */
  verify(password: string, password_hash: string | null, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** Hashes `at_once` passwords at a time. Others wait, and are refused once 200 wait. */
export function openPasswords(at_once: number, watch?: TurnWatch): Passwords {
  const threads = passwordThreads(at_once);
  const inTurn = concurrency({ at_once, max_waiting: MAX_WAITING, watch });
  return {
    hash: (password, signal) => hashing(() => inTurn(() => threads.hash(password), signal)),
    verify: async (password, password_hash, signal) => {
      const matches = await hashing(() =>
        inTurn(() => threads.verify(password, password_hash ?? DECOY_HASH), signal),
      );
      return matches && password_hash !== null;
    },
    close: () => threads.close(),
  };
}

/** The span of a password that is hashed, and waits for its turn before. */
function hashing<T>(work: () => Promise<T>): Promise<T> {
  return traced('hash password', 'internal', {}, work);
}
