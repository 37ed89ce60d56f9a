import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ResendVerificationRequest, ResendVerificationResponse } from '@gatehouse/proto/auth';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { mailToken } from '../../mail/mail-token.ts';
import { lockAddresseeById } from '../../store/mail/mail-tokens.ts';

export function resendVerification(
  deps: Deps,
): Handler<ResendVerificationRequest, ResendVerificationResponse> {
  return async (_request, { caller }) => {
    const { account_id } = requireSession(caller);
    await inTransaction(deps.db, async (tx) => {
      const account = await lockAddresseeById(tx, account_id);
      if (account === undefined) throw unauthorized();
      if (!account.verified) await mailToken(tx, deps, 'verify_email', caller, account);
    });
    deps.mail.wake();
    return {};
  };
}
