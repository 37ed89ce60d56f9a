import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { SuspendAccountRequest, SuspendAccountResponse } from '@gatehouse/proto/auth-admin';
import { readAdminAction } from '../../admin/admin-action.ts';
import { adminAccount } from '../../admin/admin-views.ts';
import type { Deps } from '../../deps.ts';
import { alreadySuspended, unknownUser } from '../../errors.ts';
import { endBotCredentials } from '../../store/accounts/bots.ts';
import { hasSuspensionChanges, queueSuspensionChanges } from '../../store/accounts/suspension-changes.ts';
import { lockForSuspension, suspendAccount as suspend } from '../../store/accounts/suspensions.ts';
import { findAdminAccount } from '../../store/admin/admin-accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endPendingLogins } from '../../store/login/pending-logins.ts';
import { endAllSessions } from '../../store/sessions/sessions.ts';

/**
 * A concurrent login waits for the lock, and then sees the suspension; or its session ends here. Of a suspended account,
 * it only sends what services have not confirmed yet; if that is nothing, another operator or reason is an error.
 */
export function suspendAccount(deps: Deps): Handler<SuspendAccountRequest, SuspendAccountResponse> {
  const { db, ids, counts, suspensions } = deps;
  return async (request, { caller }) => {
    const { account_id, operator, reason } = readAdminAction(request);
    const { before, after, ended_sessions } = await inTransaction(db, async (tx) => {
      const bots = await lockForSuspension(tx, account_id);
      const before = await findAdminAccount(tx, account_id);
      if (before === undefined) throw unknownUser();
      if (before.suspended_at !== null) {
        const isSame = before.suspended_by === operator && before.suspension_reason === reason;
        if (!isSame && !(await hasSuspensionChanges(tx, account_id))) throw alreadySuspended(before);
        return { before, after: before, ended_sessions: 0 };
      }
      await suspend(tx, account_id, { operator, reason });
      await endBotCredentials(
        tx,
        bots.map((application_id) => ({ application_id, token_id: ids() })),
      );
      const ended_sessions = await endAllSessions(tx, account_id);
      counts.sessionsEnded('operator', ended_sessions);
      await endPendingLogins(tx, account_id);
      const detail = { operator, reason, sessions: ended_sessions };
      await insertSecurityEvent(tx, ids(), { kind: 'account.suspended', account_id, caller, detail });
      await queueSuspensionChanges(tx, account_id);
      const after = await findAdminAccount(tx, account_id);
      if (after === undefined) throw unknownUser(); // unreachable: the row is locked
      return { before, after, ended_sessions };
    });
    const pending = await suspensions.send(account_id);
    return { before: adminAccount(before), after: adminAccount(after), ended_sessions, pending };
  };
}
