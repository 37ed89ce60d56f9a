import { FairBudget } from './queues/fair-budget.ts';
import type { Call } from './rpc.ts';

/** An answer of less waits for nobody. */
const SHORT_BYTES = 64 * 1024;

/**
 * A budget of memory for a kind of long answers (docs/security.md#long-answers). They are made by some of the pool's
 * connections at most, so that the others are free for whatever is short.
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
 * Waits until it is the account's turn and there is memory for an answer of about so many bytes. The memory is free again
 * once the answer has been sent.
 *
 * @throws SERVICE_UNAVAILABLE if too much waits already, or its turn did not come in time; CANCELLED
 */
export async function takeTurn(budget: FairBudget, bytes: number, call: Call): Promise<void> {
  if (bytes > SHORT_BYTES) call.whenSent(await budget.take(call.caller.account_id, bytes, call.signal));
}
