import { takeTurn } from '@gatehouse/kit/long-answers';
import type { Handler } from '@gatehouse/kit/rpc';
import type { Deps } from '../deps.ts';
import type { AnswerKind } from './budgets.ts';

/** What an answer takes in memory while it is made, at most or by what is stored. */
export interface AnswerBytes<Request> {
  readonly kind: AnswerKind;
  bytesOf(request: Request, account_id: string, deps: Pick<Deps, 'db'>): number | Promise<number>;
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
    await takeTurn(deps.longAnswers[kind], bytes, call);
    return handler(request, call);
  };
}
