import { type ConcurrencyWatch, concurrency } from '@gatehouse/kit/queues/concurrency';
import { traced } from '@gatehouse/kit/trace/current-span';
import { queueOptions, type WaitingCall } from '../queue-options.ts';
import { PasswordThreads } from './password-threads.ts';

/** At about 25 ms each, the last one still finishes within the deadline of a login. */
const MAX_WAITING = 200;
const MAX_WAITING_OF_NETWORK = 100;

/** The hash of an unknown password, at the usual cost. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$VNbODu0sv5ENb/QyCRGwXg$rluYTWQcAbf+nDGFt2iMJtPwlZGP7BVgiPhG1fL3bD8';

/** Hashes passwords in worker threads, with limited concurrency. */
export interface Passwords {
  hash(password: string, call: WaitingCall): Promise<string>;
  /** Without a hash it takes as long as with one, and returns false. */
  verify(password: string, password_hash: string | null, call: WaitingCall): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Hashes `at_once` passwords at a time. Up to 200 others wait, 100 per network. Networks take turns, so a flood only
 * delays its own network. A call that exceeds these limits, or waits too long (`queueOptions`), is UNAVAILABLE.
 */
export function openPasswords(at_once: number, watch?: ConcurrencyWatch): Passwords {
  const threads = new PasswordThreads(at_once);
  const turns = concurrency({
    at_once,
    max_waiting: MAX_WAITING,
    max_waiting_per_origin: MAX_WAITING_OF_NETWORK,
    watch,
  });
  /** The span includes the wait. */
  function inTurn<T>(work: () => Promise<T>, call: WaitingCall): Promise<T> {
    return traced('hash password', 'internal', {}, () => turns(work, call.signal, queueOptions(call)));
  }
  return {
    hash: (password, call) => inTurn(() => threads.hash(password), call),
    verify: async (password, password_hash, call) => {
      const matches = await inTurn(() => threads.verify(password, password_hash ?? DECOY_HASH), call);
      return matches && password_hash !== null;
    },
    close: () => threads.close(),
  };
}
