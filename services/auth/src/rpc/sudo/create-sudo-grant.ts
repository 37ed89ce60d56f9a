import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateSudoGrantRequest, CreateSudoGrantResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { invalidPassword } from '../../errors.ts';
import { requireLiveSession } from '../../sessions/live-session.ts';
import { hasMfa, hasSamePassword } from '../../store/accounts/account.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { findSudoState, saveSudoGrant } from '../../store/sessions/sudo-grants.ts';
import { missingProof, requireProof } from '../../sudo/sudo.ts';

export function createSudoGrant(deps: Deps): Handler<CreateSudoGrantRequest, CreateSudoGrantResponse> {
  const { db, ids } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id, session_id } = requireSession(caller);
    const { proofs, state } = await requireProof(deps, request, call);

    const expires_at = await inTransaction(db, async (tx) => {
      const locked = await lockAccount(tx, account_id);
      if (locked === undefined) throw unauthorized();
      await requireLiveSession(tx, caller);
      // The password may have changed meanwhile, or a second factor may have been added.
      const stale = !hasSamePassword(locked.account, state) || hasMfa(locked.account);
      if (proofs.includes('password') && stale) throw invalidPassword();
      // Adding or removing a factor ends earlier grants, and so outdates this proof too.
      const now = await findSudoState(tx, account_id, session_id);
      if (now?.factors !== state.factors) throw missingProof(now ?? state);
      const detail = { proof: proofs.join(' ') };
      await insertSecurityEvent(tx, ids(), { kind: 'sudo.granted', account_id, caller, detail });
      return saveSudoGrant(tx, session_id);
    });
    return { expires_at: expires_at.toISOString() };
  };
}
