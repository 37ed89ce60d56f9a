import { isOutage } from '@gatehouse/kit/fault';
import { FairBudget } from '@gatehouse/kit/queues/fair-budget';
import { busy, tooLarge } from '../errors.ts';

/** Bounds the READYs, with the GUILD_CREATEs behind them, that are being made and sent at one time. */
export interface ReadyTurns {
  /**
   * Waits for the turn of one with about so many bytes. Returns how to end it.
   *
   * @throws RESOURCE_EXHAUSTED if it is larger than all may be together, too many wait already, or its turn does not come
   * in time; CANCELLED
   */
  enter(account_id: string, bytes: number, signal: AbortSignal): Promise<() => void>;
  /** Of the large ones whose turn it is. */
  bytes(): number;
}

/** Smaller ones do not wait: there are no more of them than Identifies at once. */
const SMALL_BYTES = 256 * 1024;
/** Fewer than Identifies at once, so that small ones find their turn beside them. */
const MAX_WAITING = 48;
const MAX_WAITING_PER_ACCOUNT = 8;
const WITHIN_MS = 10_000;

/** Of a small one: there is nothing to end. */
export const NO_TURN = (): void => undefined;

/** Large ones come one at a time for an account, and accounts take turns. */
export function readyTurns(max_bytes: number): ReadyTurns {
  const budget = new FairBudget({
    max_bytes,
    max_bytes_per_key: max_bytes,
    at_once: Number.POSITIVE_INFINITY,
    at_once_per_key: 1,
    max_waiting: MAX_WAITING,
    max_waiting_per_key: MAX_WAITING_PER_ACCOUNT,
    wait_ms: WITHIN_MS,
  });
  return {
    bytes: () => budget.taken.bytes,
    enter: async (account_id, bytes, signal) => {
      if (bytes > max_bytes) throw tooLarge();
      if (bytes <= SMALL_BYTES) return NO_TURN;
      try {
        return await budget.take(account_id, bytes, signal);
      } catch (error) {
        throw isOutage(error) ? busy() : error;
      }
    },
  };
}
