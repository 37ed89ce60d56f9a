import { FairBudget } from '@gatehouse/kit/fair-budget';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { Deps } from '../deps.ts';

/** What an answer takes in memory while it is made, at most or by what is stored. */
export type AnswerBytes<Request> = (
  request: Request,
  account_id: string,
  deps: Pick<Deps, 'db'>,
) => number | Promise<number>;

const MiB = 1024 * 1024;
/** An answer of less waits for nobody. */
const SHORT_BYTES = 64 * 1024;

/**
 * The budget of long answers (docs/security.md#long-answers). They are made by some of the pool's connections at most, so
 * that the others are free for whatever is short.
 */
export function longAnswers(pool_size: number): FairBudget {
  return new FairBudget({
    max_bytes: 64 * MiB,
    max_bytes_per_key: 16 * MiB,
    at_once: Math.max(1, Math.floor((pool_size * 5) / 8)),
    at_once_per_key: 2,
    max_waiting: 512,
    max_waiting_per_key: 64,
    wait_ms: 5_000,
  });
}

/**
 * A handler whose answers may be long: it begins when it is the account's turn and there is memory. Until then it holds
 * no connection of the pool. The memory is free again once the answer has been sent.
 *
 * @throws SERVICE_UNAVAILABLE
 */
export function inTurn<Request, Response>(
  deps: Pick<Deps, 'db' | 'longAnswers'>,
  bytesOf: AnswerBytes<Request>,
  handler: Handler<Request, Response>,
): Handler<Request, Response> {
  return async (request, call: Call) => {
    const { account_id } = call.caller;
    const bytes = await bytesOf(request, account_id, deps);
    if (bytes > SHORT_BYTES) call.whenSent(await deps.longAnswers.take(account_id, bytes, call.signal));
    return handler(request, call);
  };
}
