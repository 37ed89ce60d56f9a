import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteCurrentUserRequest, DeleteCurrentUserResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { hasSamePassword } from '../../store/accounts/account.ts';
import { deleteAccount, lockForDeletion } from '../../store/accounts/deleted-accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { outdatedProof, requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function deleteCurrentUser(deps: Deps): Handler<DeleteCurrentUserRequest, DeleteCurrentUserResponse> {
  const { db, ids, batched, deletions, pictureChanges } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const before = await batched.findAccount(account_id);
    if (before === undefined) throw unauthorized();
    const sudo = await requireSudo(deps, request, call);

    const deleted = await inTransaction(db, async (tx) => {
      // The lock is exclusive: a concurrent login or new bot is either deleted here or finds no account.
      const locked = await lockForDeletion(tx, account_id);
      if (locked === undefined) throw unauthorized();
      await requireLiveSudo(tx, sudo, caller);
      if (!hasSamePassword(locked, before)) return false;
      await deleteAccount(tx, account_id);
      await insertSecurityEvent(tx, ids(), { kind: 'account.deleted', account_id, caller });
      return true;
    });
    if (!deleted) throw await outdatedProof(deps, caller);
    await Promise.all([deletions.send([account_id]), pictureChanges.send(account_id)]);
    return {};
  };
}
