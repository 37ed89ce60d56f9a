import type { Handler } from '@gatehouse/kit/rpc';
import type { ListOperatorsRequest, ListOperatorsResponse } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { operatorView } from '../operators/operator-view.ts';
import { listOperators } from '../store/operators.ts';

export function listOperatorsRpc({ db }: Deps): Handler<ListOperatorsRequest, ListOperatorsResponse> {
  return async () => ({ operators: (await listOperators(db)).map(operatorView) });
}
