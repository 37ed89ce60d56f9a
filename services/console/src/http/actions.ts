import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Action } from '../actions/action.ts';
import { ACTIONS } from '../actions/registry.ts';
import { bodyOf, readOptionalText, readText } from '../body.ts';
import type { Deps } from '../deps.ts';
import { roleTooLow } from '../errors.ts';
import { perform } from '../log/perform.ts';
import { includesRole } from '../role.ts';
import { operatorOf } from './signed-in.ts';

const REASON = { min: 1, max: 512, trim: true };

/** A route for each action of the registry: role, form, line in the log, call. */
export function registerActions(app: FastifyInstance, deps: Deps): void {
  for (const action of ACTIONS)
    app.route({
      method: action.method,
      url: action.path,
      handler: (request) => act(deps, action, request),
    });
}

async function act(deps: Deps, action: Action, request: FastifyRequest): Promise<object> {
  const operator = operatorOf(request);
  if (!includesRole(operator.role, action.role)) throw roleTooLow(action.role);
  const form = new Form();
  const body = bodyOf(request.body);
  const { target, run } = action.read(form, { params: paramsOf(request), body });
  const reason =
    action.reason === 'required'
      ? readText(form, body, 'reason', REASON)
      : (readOptionalText(form, body, 'reason', { ...REASON, min: 0 }) ?? '');
  form.check();
  const line = { action: action.name, target, reason };
  return perform(deps, operator, line, () => run(deps, { operator: operator.name, reason }));
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(bodyOf(params)).map(([name, value]) => [name, String(value)]));
}
