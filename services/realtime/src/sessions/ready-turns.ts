import { isOutage } from '@gatehouse/kit/fault';
import { FairBudget } from '@gatehouse/kit/queues/fair-budget';
import { busy, tooLarge } from '../errors.ts';

/** Limits the READYs, with a bot's GUILD_CREATEs, that are made and sent at once. */
export interface ReadyTurns {
  /**
   * Waits for the turn of a READY with about this many bytes. Call the returned function to end the turn.
   *
   * @throws RESOURCE_EXHAUSTED if it exceeds the budget, too many wait, or its turn does not come in time; CANCELLED
   */
  enter(account_id: string, bytes: number, signal: AbortSignal): Promise<() => void>;
  /** Bytes of the large READYs that have their turn. */
  bytes(): number;
}

/** Smaller READYs do not wait, since concurrent Identifies are limited. */
const SMALL_BYTES = 256 * 1024;
/** Fewer than concurrent Identifies, so that Identifies with small READYs get through. */
const MAX_WAITING = 48;
const MAX_WAITING_PER_ACCOUNT = 8;
const WAIT_MS = 10_000;

/** The turn of a small READY. */
export const NO_TURN = (): void => undefined;

/** An account's large READYs come one at a time, and accounts take turns. */
export function readyTurns(max_bytes: number): ReadyTurns {
  const budget = new FairBudget({
    max_bytes,
    max_bytes_per_key: max_bytes,
    at_once: Number.POSITIVE_INFINITY,
    at_once_per_key: 1,
    max_waiting: MAX_WAITING,
    max_waiting_per_key: MAX_WAITING_PER_ACCOUNT,
    wait_ms: WAIT_MS,
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
