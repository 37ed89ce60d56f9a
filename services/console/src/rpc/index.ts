import type { Handlers } from '@gatehouse/kit/rpc';
import type { ConsoleServiceDefinition } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { addOperatorRpc } from './add-operator.ts';
import { listActionsRpc } from './list-actions.ts';
import { listOperatorsRpc } from './list-operators.ts';
import { removeOperatorRpc } from './remove-operator.ts';
import { updateOperatorRpc } from './update-operator.ts';

export const consoleHandlers = (deps: Deps): Handlers<typeof ConsoleServiceDefinition> => ({
  addOperator: addOperatorRpc(deps),
  listOperators: listOperatorsRpc(deps),
  updateOperator: updateOperatorRpc(deps),
  removeOperator: removeOperatorRpc(deps),
  listActions: listActionsRpc(deps),
});
