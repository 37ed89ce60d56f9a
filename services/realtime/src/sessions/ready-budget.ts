import { isOutage } from '@gatehouse/kit/fault';
import { FairBudget } from '@gatehouse/kit/queues/fair-budget';
import { busy, tooLarge } from '../errors.ts';

/** Smaller READYs do not wait, since concurrent Identifies are limited. */
const SMALL_BYTES = 256 * 1024;
/** Fewer than concurrent Identifies, so that Identifies with small READYs get through. */
const MAX_WAITING = 48;
const MAX_WAITING_PER_ACCOUNT = 8;
const MAX_WAIT_MS = 10_000;

/**
 * Limits the bytes of READYs, with a bot's GUILD_CREATEs, that are made and sent at once. An account's large READYs are
 * made one at a time, and accounts take turns.
 */
export class ReadyBudget {
  readonly #max_bytes: number;
  readonly #budget: FairBudget;

  constructor(max_bytes: number) {
    this.#max_bytes = max_bytes;
    this.#budget = new FairBudget({
      max_bytes,
      max_bytes_per_key: max_bytes,
      at_once: Number.POSITIVE_INFINITY,
      at_once_per_key: 1,
      max_waiting: MAX_WAITING,
      max_waiting_per_key: MAX_WAITING_PER_ACCOUNT,
      wait_ms: MAX_WAIT_MS,
    });
  }

  /** Bytes taken by large READYs. */
  bytes(): number {
    return this.#budget.taken.bytes;
  }

  /**
   * Takes about as many bytes as a READY has, in the order of the queue. Call the returned function to release them;
   * undefined for a small READY, which takes none.
   *
   * @throws RESOURCE_EXHAUSTED if it exceeds the budget, too many wait, or it has waited too long; CANCELLED
   */
  async take(account_id: string, bytes: number, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (bytes > this.#max_bytes) throw tooLarge();
    if (bytes <= SMALL_BYTES) return undefined;
    try {
      return await this.#budget.take(account_id, bytes, signal);
    } catch (error) {
      throw isOutage(error) ? busy() : error;
    }
  }
}
