import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LogoutRequest, LogoutResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endSession } from '../../store/sessions/sessions.ts';

export function logout({ db, ids, counts }: Deps): Handler<LogoutRequest, LogoutResponse> {
  return async (_request, { caller }) => {
    const { account_id, session_id } = requireSession(caller);
    await inTransaction(db, async (tx) => {
      // Only one of several concurrent logouts is logged.
      if (!(await endSession(tx, session_id, account_id))) return;
      counts.sessionsEnded('logout', 1);
      await insertSecurityEvent(tx, ids(), { kind: 'logout', account_id, caller });
    });
    return {};
  };
}
