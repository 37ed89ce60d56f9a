import { isOutage } from '@gatehouse/kit/fault';
import { FairBudget } from '@gatehouse/kit/queues/fair-budget';
import { busy, tooLarge } from '../errors.ts';

/** Limits the bytes of READYs, with a bot's GUILD_CREATEs, that are made and sent at once. */
export interface ReadyBudget {
  /**
   * Takes about as many bytes as a READY has, in the order of the queue. Call the returned function to release them.
   *
   * @throws RESOURCE_EXHAUSTED if it exceeds the budget, too many wait, or it has waited too long; CANCELLED
   */
  take(account_id: string, bytes: number, signal: AbortSignal): Promise<() => void>;
  /** Bytes taken by large READYs. */
  bytes(): number;
}

/** Smaller READYs do not wait, since concurrent Identifies are limited. */
const SMALL_BYTES = 256 * 1024;
/** Fewer than concurrent Identifies, so that Identifies with small READYs get through. */
const MAX_WAITING = 48;
const MAX_WAITING_PER_ACCOUNT = 8;
const MAX_WAIT_MS = 10_000;

/** Releases a small READY, which takes nothing. */
export const RELEASE_NOTHING = (): void => undefined;

/** An account's large READYs are made one at a time, and accounts take turns. */
export function readyBudget(max_bytes: number): ReadyBudget {
  const budget = new FairBudget({
    max_bytes,
    max_bytes_per_key: max_bytes,
    at_once: Number.POSITIVE_INFINITY,
    at_once_per_key: 1,
    max_waiting: MAX_WAITING,
    max_waiting_per_key: MAX_WAITING_PER_ACCOUNT,
    wait_ms: MAX_WAIT_MS,
  });
  return {
    bytes: () => budget.taken.bytes,
    take: async (account_id, bytes, signal) => {
      if (bytes > max_bytes) throw tooLarge();
      if (bytes <= SMALL_BYTES) return RELEASE_NOTHING;
      try {
        return await budget.take(account_id, bytes, signal);
      } catch (error) {
        throw isOutage(error) ? busy() : error;
      }
    },
  };
}
