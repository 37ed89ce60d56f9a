import { concurrency } from '@gatehouse/kit/concurrency';
import { passwordThreads } from './password-threads.ts';

/** At some 25 ms each, the last to wait is served within the time that a login may take. */
const MAX_WAITING = 200;

/** Of 32 random bytes that nobody kept, at the same cost as any other. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$VNbODu0sv5ENb/QyCRGwXg$rluYTWQcAbf+nDGFt2iMJtPwlZGP7BVgiPhG1fL3bD8';

/** Hashing of passwords, on threads of their own and a few at a time. */
export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** Without a hash it takes the same time and the answer is no. */
  verify(password: string, password_hash: string | null, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** `at_once`: how many are hashed at one time; the rest wait their turn, or are refused. */
export function openPasswords(at_once: number): Passwords {
  const threads = passwordThreads(at_once);
  const inTurn = concurrency({ at_once, max_waiting: MAX_WAITING });
  return {
    hash: (password, signal) => inTurn(() => threads.hash(password), signal),
    verify: async (password, password_hash, signal) => {
      const matches = await inTurn(() => threads.verify(password, password_hash ?? DECOY_HASH), signal);
      return matches && password_hash !== null;
    },
    close: () => threads.close(),
  };
}
