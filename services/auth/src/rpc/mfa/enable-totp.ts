import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { EnableTotpRequest, EnableTotpResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, invalidMfaCode, invalidTotpSecret } from '../../errors.ts';
import { replaceBackupCodes } from '../../mfa/backup-codes.ts';
import { completeFactorChange } from '../../mfa/complete-factor-change.ts';
import { addTotp, matchingSteps, readTotpSecret, useTotp } from '../../mfa/totp.ts';
import { plainCode } from '../../mfa/use-code.ts';
import { lockFactors } from '../../store/mfa/factors.ts';
import { requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function enableTotp(deps: Deps): Handler<EnableTotpRequest, EnableTotpResponse> {
  const { db, clock } = deps;
  return async (request, call) => {
    const { caller } = call;
    const { account_id } = requireSession(caller);
    const secret = readTotpSecret(request.secret);
    if (secret === undefined) throw invalidTotpSecret();
    const sudo = await requireSudo(deps, request, call);
    const code = plainCode(request.code);
    if (matchingSteps(secret, code, clock()).length === 0) throw invalidMfaCode('code');

    const backup_codes = await inTransaction(db, async (tx) => {
      await lockFactors(tx, account_id);
      await requireLiveSudo(tx, sudo, caller);
      if (!(await addTotp(tx, deps, account_id, secret)))
        throw badRequest('Time-based codes are turned on already.');
      // The code was used before TOTP was last disabled. Throwing rolls back the enabling.
      if (!(await useTotp(tx, deps, account_id, code))) throw invalidMfaCode('code');
      await completeFactorChange(tx, deps, { kind: 'mfa.totp_enabled' }, caller);
      return replaceBackupCodes(tx, deps, account_id);
    });
    deps.mail.wake();
    return { backup_codes };
  };
}
