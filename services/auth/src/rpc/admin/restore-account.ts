import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RestoreAccountRequest, RestoreAccountResponse } from '@gatehouse/proto/auth-admin';
import { readAdminAction } from '../../admin/admin-action.ts';
import { adminAccount } from '../../admin/admin-views.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { queueSuspensionChanges } from '../../store/accounts/suspension-changes.ts';
import { lockForSuspension, restoreAccount as restore } from '../../store/accounts/suspensions.ts';
import { findAdminAccount } from '../../store/admin/admin-accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';

/** Of an account that is not suspended, it only sends what services have not confirmed yet. */
export function restoreAccount(deps: Deps): Handler<RestoreAccountRequest, RestoreAccountResponse> {
  const { db, ids, suspensions } = deps;
  return async (request, { caller }) => {
    const { account_id, operator, reason } = readAdminAction(request);
    const { before, after } = await inTransaction(db, async (tx) => {
      await lockForSuspension(tx, account_id);
      const before = await findAdminAccount(tx, account_id);
      if (before === undefined) throw unknownUser();
      if (before.suspended_at === null) return { before, after: before };
      await restore(tx, account_id);
      const detail = { operator, reason };
      await insertSecurityEvent(tx, ids(), { kind: 'account.restored', account_id, caller, detail });
      await queueSuspensionChanges(tx, account_id);
      const after = await findAdminAccount(tx, account_id);
      if (after === undefined) throw unknownUser(); // unreachable: the row is locked
      return { before, after };
    });
    const pending = await suspensions.send(account_id);
    return { before: adminAccount(before), after: adminAccount(after), pending };
  };
}
