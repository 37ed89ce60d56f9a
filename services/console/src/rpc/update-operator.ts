import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateOperatorRequest, UpdateOperatorResponse } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { BY_CERTIFICATE } from '../log/actor.ts';
import { perform } from '../log/perform.ts';
import { updateOperator } from '../operators/change-operators.ts';
import { readName, readRole } from '../operators/operator-form.ts';

export function updateOperatorRpc(deps: Deps): Handler<UpdateOperatorRequest, UpdateOperatorResponse> {
  return async (request) => {
    const form = new Form();
    const name = readName(form, request.name);
    const role = request.role == null ? undefined : readRole(form, request.role);
    form.check();
    const { new_link, new_token } = request;
    const line = { action: 'operator.update', target: `operator:${name}`, reason: '' };
    return perform(deps, BY_CERTIFICATE, line, () =>
      updateOperator(deps, name, { role, new_link, new_token }),
    );
  };
}
