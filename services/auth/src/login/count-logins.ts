import { Fault, Status } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginResponse, PollIpAuthorizationResponse } from '@gatehouse/proto/auth';
import type { AuthCounts, LoginOutcome, LoginStep } from '../metrics.ts';

/**
 * Wraps a handler to count the outcomes of a login step. `outcomeOf` tells that of a response; undefined is not
 * counted.
 */
export function countLogins<Request, Response>(
  { login }: Pick<AuthCounts, 'login'>,
  step: LoginStep,
  handler: Handler<Request, Response>,
  outcomeOf: (response: Response) => LoginOutcome | undefined = () => 'session',
): Handler<Request, Response> {
  return async (request, call) => {
    try {
      const response = await handler(request, call);
      const outcome = outcomeOf(response);
      if (outcome !== undefined) login(step, outcome);
      return response;
    } catch (error) {
      login(step, failureOf(error));
      throw error;
    }
  };
}

/** The outcome of a step after which an account with a second factor gets a ticket. */
export function sessionOrTicket({ mfa }: Pick<LoginResponse, 'mfa'>): LoginOutcome {
  return mfa ? 'second_factor' : 'session';
}

/** The outcome of a poll, which has none while the login is held. */
export function sessionOrWait({ completed }: PollIpAuthorizationResponse): LoginOutcome | undefined {
  return completed ? 'session' : undefined;
}

function failureOf(error: unknown): LoginOutcome {
  if (!(error instanceof Fault)) return 'failed';
  if (error.reason === 'IP_AUTHORIZATION_REQUIRED') return 'held';
  if (error.reason === 'ACCOUNT_SUSPENDED') return 'suspended';
  if (error.status === Status.RESOURCE_EXHAUSTED) return 'limited';
  return error.status === Status.INVALID_ARGUMENT ? 'wrong' : 'failed';
}
