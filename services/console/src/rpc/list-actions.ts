import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListActionsRequest, ListActionsResponse } from '@gatehouse/proto/console';
import type { Deps } from '../deps.ts';
import { actionView } from '../log/action-view.ts';
import { listActions } from '../store/actions.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export function listActionsRpc({ db }: Deps): Handler<ListActionsRequest, ListActionsResponse> {
  return async (request) => {
    const form = new Form();
    const limit = request.limit ?? DEFAULT_LIMIT;
    if (limit < 1 || limit > MAX_LIMIT) form.fail('limit', 'INVALID_FORMAT', `Must be 1 to ${MAX_LIMIT}.`);
    const before = readId(form, 'before', request.before);
    const after = readId(form, 'after', request.after);
    const operator = request.operator == null ? undefined : readText(form, request.operator);
    form.check();
    const rows = await listActions(db, { operator, before, after, limit });
    return { actions: rows.map(actionView) };
  };
}

function readId(form: Form, path: string, id: string | null | undefined): string | undefined {
  if (id != null && !isSnowflake(id)) form.fail(path, 'INVALID_FORMAT', 'Must be the ID of an action.');
  return id ?? undefined;
}

function readText(form: Form, operator: string): string {
  if (operator.includes('\0')) form.fail('operator', 'INVALID_FORMAT', 'Must be the name of an operator.');
  return operator;
}
