import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { EndAccountSessionsRequest, EndAccountSessionsResponse } from '@gatehouse/proto/auth-admin';
import { readAdminAction } from '../../admin/admin-action.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endAllSessions } from '../../store/sessions/sessions.ts';

export function endAccountSessions({
  db,
  ids,
  counts,
}: Deps): Handler<EndAccountSessionsRequest, EndAccountSessionsResponse> {
  return async (request, { caller }) => {
    const { account_id, operator, reason } = readAdminAction(request);
    const ended_sessions = await inTransaction(db, async (tx) => {
      // Serializes this with password changes and deletions, which end sessions too.
      if ((await lockAccount(tx, account_id)) === undefined) throw unknownUser();
      const count = await endAllSessions(tx, account_id);
      counts.sessionsEnded('operator', count);
      const detail = { which: 'all', count, operator, reason };
      await insertSecurityEvent(tx, ids(), { kind: 'sessions.ended', account_id, caller, detail });
      return count;
    });
    return { ended_sessions };
  };
}
