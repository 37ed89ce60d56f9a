import { randomBytes } from 'node:crypto';
import { cancelled } from '@gatehouse/kit/fault';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { passwordQueueFull } from './errors.ts';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At some 25 ms each, the last to wait is served within the time that a login may take. */
const MAX_WAITING = 200;

/** Hashing of passwords, off the event loop and a few at a time. */
export interface Passwords {
  hash(password: string, signal: AbortSignal): Promise<string>;
  /** Without a hash it takes the same time and the answer is no. */
  verify(password: string, passwordHash: string | null, signal: AbortSignal): Promise<boolean>;
}

/** `concurrency`: how many are hashed at once; the rest wait their turn, or are refused. */
export async function openPasswords(concurrency: number): Promise<Passwords> {
  const inTurn = turns(concurrency, MAX_WAITING);
  const nobodysHash = await hash(randomBytes(32), COST);
  return {
    hash: (password, signal) => inTurn(() => hash(password, COST), signal),
    verify: async (password, passwordHash, signal) => {
      const matches = await inTurn(() => verify(passwordHash ?? nobodysHash, password), signal);
      return matches && passwordHash !== null;
    },
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
