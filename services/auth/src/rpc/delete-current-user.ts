import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteCurrentUserRequest, DeleteCurrentUserResponse } from '@gatehouse/proto/auth';
import { RETRY_MS } from '../accounts/account-deletions.ts';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { unauthorized } from '../errors.ts';
import { hasSamePassword } from '../store/account.ts';
import { deleteAccount, holdForDeletion } from '../store/deleted-accounts.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import { requireLiveSudo } from '../sudo/live-sudo.ts';
import { outdatedProof } from '../sudo/outdated-proof.ts';
import { requireSudo } from '../sudo/sudo.ts';

export function deleteCurrentUser(deps: Deps): Handler<DeleteCurrentUserRequest, DeleteCurrentUserResponse> {
  const { db, ids, findAccount, deletions, pictureChanges } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const before = await findAccount(account_id);
    if (before === undefined) throw unauthorized();
    const sudo = await requireSudo(deps, request, call);

    const deleted = await inTransaction(db, async (tx) => {
      // Held alone: a login or a new bot that is under way either is seen and goes too, or finds nobody.
      const held = await holdForDeletion(tx, account_id);
      if (held === undefined) throw unauthorized();
      await requireLiveSudo(tx, sudo, caller);
      if (!hasSamePassword(held, before)) return false;
      await deleteAccount(tx, account_id, RETRY_MS);
      await insertSecurityEvent(tx, ids(), { kind: 'account.deleted', account_id, caller });
      return true;
    });
    if (!deleted) throw await outdatedProof(deps, caller);
    await Promise.all([deletions.end(account_id), pictureChanges.send(account_id)]);
    return {};
  };
}
