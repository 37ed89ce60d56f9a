import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AddOperatorRequest, AddOperatorResponse } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { BY_CERTIFICATE } from '../log/actor.ts';
import { perform } from '../log/perform.ts';
import { addOperator } from '../operators/change-operators.ts';
import { readName, readRole } from '../operators/operator-form.ts';

export function addOperatorRpc(deps: Deps): Handler<AddOperatorRequest, AddOperatorResponse> {
  return async (request) => {
    const form = new Form();
    const name = readName(form, request.name);
    const role = readRole(form, request.role);
    form.check();
    const line = { action: 'operator.add', target: `operator:${name}`, reason: '' };
    return perform(deps, BY_CERTIFICATE, line, () =>
      addOperator(deps, { name, role, with_token: request.with_token }),
    );
  };
}
