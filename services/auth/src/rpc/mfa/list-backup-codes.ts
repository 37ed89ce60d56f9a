import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListBackupCodesRequest, ListBackupCodesResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { readBackupCodes, replaceBackupCodes } from '../../mfa/backup-codes.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { hasFactor, lockFactors } from '../../store/mfa/factors.ts';
import { requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function listBackupCodes(deps: Deps): Handler<ListBackupCodesRequest, ListBackupCodesResponse> {
  const { db, ids } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const sudo = await requireSudo(deps, request, call);

    const backup_codes = await inTransaction(db, async (tx) => {
      await lockFactors(tx, account_id);
      await requireLiveSudo(tx, sudo, caller);
      if (!(await hasFactor(tx, account_id))) throw badRequest('The account has no second factor.');
      if (request.regenerate !== true) return readBackupCodes(tx, deps, account_id);
      await insertSecurityEvent(tx, ids(), { kind: 'mfa.backup_codes_made', account_id, caller });
      return replaceBackupCodes(tx, deps, account_id);
    });
    return { backup_codes };
  };
}
