import { FairBudget } from './queues/fair-budget.ts';
import type { Call } from './rpc.ts';

/** Shorter answers do not wait. */
const SHORT_BYTES = 64 * 1024;

/**
 * A memory budget for a kind of long answers (docs/security.md#long-answers). Only a part of the pool's connections
 * makes them, so that the others stay free for short ones.
 */
export function longAnswerBudget(max_bytes: number, pool_size: number): FairBudget {
  const at_once = Math.max(1, Math.floor(pool_size / 4));
  return new FairBudget({
    max_bytes,
    max_bytes_per_key: max_bytes / 2,
    at_once,
    at_once_per_key: at_once,
    max_waiting: 512,
    max_waiting_per_key: 64,
    wait_ms: 5_000,
  });
}

/**
 * Waits for the account's turn and for memory for an answer of about this many bytes. The memory is free again once
 * the answer is sent.
 *
 * @throws SERVICE_UNAVAILABLE if the queue is full or the turn did not come in time; CANCELLED
 */
export async function waitForMemory(budget: FairBudget, bytes: number, call: Call): Promise<void> {
  if (bytes > SHORT_BYTES) call.whenSent(await budget.take(call.caller.account_id, bytes, call.signal));
}
