import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveOperatorRequest, RemoveOperatorResponse } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { BY_CERTIFICATE } from '../log/actor.ts';
import { perform } from '../log/perform.ts';
import { removeOperator } from '../operators/change-operators.ts';
import { readName } from '../operators/operator-form.ts';

export function removeOperatorRpc(deps: Deps): Handler<RemoveOperatorRequest, RemoveOperatorResponse> {
  return async (request) => {
    const form = new Form();
    const name = readName(form, request.name);
    form.check();
    const line = { action: 'operator.remove', target: `operator:${name}`, reason: '' };
    await perform(deps, BY_CERTIFICATE, line, () => removeOperator(deps, name));
    return {};
  };
}
