import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DisableTotpRequest, DisableTotpResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, invalidMfaCode } from '../../errors.ts';
import { completeFactorChange } from '../../mfa/complete-factor-change.ts';
import { useCode } from '../../mfa/use-code.ts';
import { requireLiveSession } from '../../sessions/live-session.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { deleteOrphanedBackupCodes } from '../../store/mfa/backup-codes.ts';
import { lockFactors } from '../../store/mfa/factors.ts';
import { deleteTotpFactor, lockTotpSecretForDeletion } from '../../store/mfa/totp-factors.ts';
import { missingProof, requireSudoState } from '../../sudo/sudo.ts';

export function disableTotp(deps: Deps): Handler<DisableTotpRequest, DisableTotpResponse> {
  const { db, ids } = deps;
  return async ({ code }, { caller }) => {
    const { account_id } = requireSession(caller);
    if (code == null) throw missingProof(await requireSudoState(deps, caller));
    const disabled = await inTransaction(db, async (tx) => {
      await lockFactors(tx, account_id);
      await requireLiveSession(tx, caller);
      if (!(await lockTotpSecretForDeletion(tx, account_id)))
        throw badRequest('Time-based codes are turned off already.');
      if ((await useCode(tx, deps, { account_id, code, caller })) === undefined) {
        const detail = { proof: 'code' };
        await insertSecurityEvent(tx, ids(), { kind: 'sudo.failed', account_id, caller, detail });
        return false;
      }
      await deleteTotpFactor(tx, account_id);
      await deleteOrphanedBackupCodes(tx, account_id);
      await completeFactorChange(tx, deps, { kind: 'mfa.totp_disabled' }, caller);
      return true;
    });
    if (!disabled) throw invalidMfaCode('code');
    deps.mail.wake();
    return {};
  };
}
