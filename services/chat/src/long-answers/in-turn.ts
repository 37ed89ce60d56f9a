import { waitForMemory } from '@gatehouse/kit/long-answers';
import type { Handler } from '@gatehouse/kit/rpc';
import type { Deps } from '../deps.ts';
import type { AnswerKind } from './answer-budgets.ts';

/** Estimates the memory that an answer takes, from fixed maxima or from stored sizes. */
export interface AnswerSize<Request> {
  readonly kind: AnswerKind;
  bytesOf(request: Request, account_id: string, deps: Pick<Deps, 'db'>): number | Promise<number>;
}

/**
 * Wraps a handler with long answers: it runs when the account has its turn and memory is free, and waits without a
 * database connection. The memory is released once the answer is sent.
 *
 * @throws SERVICE_UNAVAILABLE
 */
export function inTurn<Request, Response>(
  deps: Pick<Deps, 'db' | 'answerBudgets'>,
  { kind, bytesOf }: AnswerSize<Request>,
  handler: Handler<Request, Response>,
): Handler<Request, Response> {
  return async (request, call) => {
    const { account_id } = call.caller;
    const bytes = await bytesOf(request, account_id, deps);
    await waitForMemory(deps.answerBudgets[kind], bytes, call);
    return handler(request, call);
  };
}
