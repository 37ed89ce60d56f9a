import { Fault, Status } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AuthCounts, LoginOutcome, LoginStep } from '../metrics.ts';

/** The members of a response that show the outcome of a login step. */
interface StepResponse {
  readonly mfa?: boolean | null | undefined;
  readonly completed?: boolean | null | undefined;
}

/** Wraps a handler to count the outcomes of login steps. */
export function countLogins<Request, Response extends object>(
  { login }: Pick<AuthCounts, 'login'>,
  step: LoginStep,
  handler: Handler<Request, Response>,
): Handler<Request, Response> {
  return async (request, call) => {
    try {
      const response = await handler(request, call);
      const { mfa, completed }: StepResponse = response;
      if (completed !== false) login(step, mfa === true ? 'second_factor' : 'session');
      return response;
    } catch (error) {
      login(step, outcomeOf(error));
      throw error;
    }
  };
}

function outcomeOf(error: unknown): LoginOutcome {
  if (!(error instanceof Fault)) return 'failed';
  if (error.reason === 'IP_AUTHORIZATION_REQUIRED') return 'held';
  if (error.status === Status.RESOURCE_EXHAUSTED) return 'limited';
  return error.status === Status.INVALID_ARGUMENT ? 'wrong' : 'failed';
}
