import { unauthorized } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Action } from '../actions/action.ts';
import { ACTIONS } from '../actions/registry.ts';
import { bodyOf, readOptionalText, readText } from '../body.ts';
import type { Deps } from '../deps.ts';
import { roleTooLow } from '../errors.ts';
import { perform } from '../log/perform.ts';
import { includesRole } from '../role.ts';
import { type Authenticate, authenticator } from './authenticate.ts';

const REASON = { min: 1, max: 512, trim: true };

/** A route for each action of the registry: role, form, line in the log, call. */
export function registerActions(app: FastifyInstance, deps: Deps): void {
  const authenticate = authenticator(deps);
  for (const action of ACTIONS)
    app.route({
      method: action.method,
      url: action.path,
      handler: (request) => act(deps, authenticate, action, request),
    });
}

/** The operator may be removed, signed out or of another role by the time that the body is there. */
async function act(
  deps: Deps,
  authenticate: Authenticate,
  action: Action,
  request: FastifyRequest,
): Promise<object> {
  const operator = await authenticate(request);
  if (operator.enrolling) throw unauthorized();
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
