import type { BidiHandler } from '@gatehouse/kit/rpc';
import type { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';
import { CheckSession, type CheckSessionOptions } from '../checks/check-session.ts';
import type { Deps } from '../deps.ts';

export function checkStream({
  charges,
  decider,
  checkSessions,
}: Omit<CheckSessionOptions, 'responses'> & Pick<Deps, 'checkSessions'>): BidiHandler<
  CheckRequest,
  CheckResponse
> {
  return (responses, { signal }) => {
    const session = new CheckSession({ charges, decider, responses });
    checkSessions.add(session);
    signal.addEventListener('abort', () => {
      session.close();
      checkSessions.delete(session);
    });
    return session;
  };
}
