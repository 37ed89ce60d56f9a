import { FairBudget } from '@gatehouse/kit/fair-budget';
import type { Handler } from '@gatehouse/kit/rpc';
import type { Deps } from '../deps.ts';

/**
 * Each kind has a budget of its own, so that none waits for another: pages of what is many, what has all of a guild, and
 * changes that write all of it.
 */
export type AnswerKind = 'page' | 'guild' | 'written_guild';
export type LongAnswers = Readonly<Record<AnswerKind, FairBudget>>;

/** What an answer takes in memory while it is made, at most or by what is stored. */
export interface AnswerBytes<Request> {
  readonly kind: AnswerKind;
  bytesOf(request: Request, account_id: string, deps: Pick<Deps, 'db'>): number | Promise<number>;
}

const MiB = 1024 * 1024;
/** An answer of less waits for nobody. */
const SHORT_BYTES = 64 * 1024;

/**
 * The budgets of long answers (docs/security.md#long-answers). They are made by some of the pool's connections at most, so
 * that the others are free for whatever is short.
 */
export function longAnswers(pool_size: number): LongAnswers {
  const at_once = Math.max(1, Math.floor(pool_size / 4));
  const budget = (max_bytes: number) =>
    new FairBudget({
      max_bytes,
      max_bytes_per_key: max_bytes / 2,
      at_once,
      at_once_per_key: at_once,
      max_waiting: 512,
      max_waiting_per_key: 64,
      wait_ms: 5_000,
    });
  return { page: budget(16 * MiB), guild: budget(32 * MiB), written_guild: budget(16 * MiB) };
}

/**
 * A handler whose answers may be long: it begins when it is the account's turn and there is memory. Until then it holds
 * no connection of the pool. The memory is free again once the answer has been sent.
 *
 * @throws SERVICE_UNAVAILABLE
 */
export function inTurn<Request, Response>(
  deps: Pick<Deps, 'db' | 'longAnswers'>,
  { kind, bytesOf }: AnswerBytes<Request>,
  handler: Handler<Request, Response>,
): Handler<Request, Response> {
  return async (request, call) => {
    const { account_id } = call.caller;
    const bytes = await bytesOf(request, account_id, deps);
    if (bytes > SHORT_BYTES) call.whenSent(await deps.longAnswers[kind].take(account_id, bytes, call.signal));
    return handler(request, call);
  };
}
