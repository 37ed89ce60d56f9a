import { cancelled } from '@gatehouse/kit/fault';
import { passwordQueueFull } from './errors.ts';
import { passwordThreads } from './password-threads.ts';

/** At some 25 ms each, the last to wait is served within the time that a login may take. */
const MAX_WAITING = 200;

/** Of 32 random bytes that nobody kept, at the same cost as any other. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$VNbODu0sv5ENb/QyCRGwXg$rluYTWQcAbf+nDGFt2iMJtPwlZGP7BVgiPhG1fL3bD8';

/** Hashing of passwords, on threads of their own and a few at a time. */
export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** Without a hash it takes the same time and the answer is no. */
  verify(password: string, passwordHash: string | null, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** `concurrency`: how many are hashed at once; the rest wait their turn, or are refused. */
export function openPasswords(concurrency: number): Passwords {
  const threads = passwordThreads(concurrency);
  const inTurn = turns(concurrency, MAX_WAITING);
  return {
    hash: (password, signal) => inTurn(() => threads.hash(password), signal),
    verify: async (password, passwordHash, signal) => {
      const matches = await inTurn(() => threads.verify(password, passwordHash ?? NOBODYS_HASH), signal);
      return matches && passwordHash !== null;
    },
    close: () => threads.close(),
  };
}

/** Work whose caller has gone by the time its turn comes is not begun. */
function turns(
  concurrency: number,
  maxWaiting: number,
): <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = concurrency;
  return async (work, signal) => {
    if (free > 0) {
      free--;
    } else {
      if (waiting.length >= maxWaiting) throw passwordQueueFull(waiting.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      if (signal.aborted) throw cancelled();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
