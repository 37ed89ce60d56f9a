import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetFactorsRequest, ResetFactorsResponse } from '@gatehouse/proto/auth-admin';
import { readAdminAction } from '../../admin/admin-action.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { mailOperatorNotice } from '../../mail/notice-mail.ts';
import { deleteAllFactors, findAdminFactors } from '../../store/admin/admin-credentials.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endUnfinishedLogins } from '../../store/login/pending-logins.ts';
import { lockAddresseeById } from '../../store/mail/mail-tokens.ts';
import { lockFactors } from '../../store/mfa/factors.ts';
import { endSudoGrants } from '../../store/sessions/sudo-grants.ts';

/** A repeated call, or one for an account without factors, is logged and ends logins, but sends no mail. */
export function resetFactors(deps: Deps): Handler<ResetFactorsRequest, ResetFactorsResponse> {
  const { db, ids, mail } = deps;
  return async (request, { caller }) => {
    const { account_id, operator, reason } = readAdminAction(request);
    const before = await inTransaction(db, async (tx) => {
      await lockFactors(tx, account_id);
      const owner = await lockAddresseeById(tx, account_id);
      if (owner === undefined) throw unknownUser();
      const factors = await findAdminFactors(tx, account_id);
      await deleteAllFactors(tx, account_id);
      await endUnfinishedLogins(tx, account_id);
      await endSudoGrants(tx, account_id);
      const { totp, passkeys } = factors;
      const detail = { operator, reason, totp, passkeys: passkeys.length };
      await insertSecurityEvent(tx, ids(), { kind: 'mfa.reset', account_id, caller, detail });
      if (totp || passkeys.length > 0)
        await mailOperatorNotice(tx, deps, owner, { template: 'factors-reset' }, caller);
      return factors;
    });
    mail.wake();
    return { before };
  };
}
