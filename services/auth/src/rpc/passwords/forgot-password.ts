import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ForgotPasswordRequest, ForgotPasswordResponse } from '@gatehouse/proto/auth';
import { readEmailKey } from '../../accounts/registration.ts';
import type { Deps } from '../../deps.ts';
import { malformedEmail } from '../../errors.ts';
import { mailToken } from '../../mail/mail-token.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { lockAddressee } from '../../store/mail/mail-tokens.ts';

/** For an unknown address, the same statements run as for a known one: an email and an event are inserted too. */
export function forgotPassword(deps: Deps): Handler<ForgotPasswordRequest, ForgotPasswordResponse> {
  const { db, ids, mail } = deps;
  return async ({ email }, { caller }) => {
    const email_key = readEmailKey(email);
    if (email_key === undefined) throw malformedEmail();

    await inTransaction(db, async (tx) => {
      const account = await lockAddressee(tx, email_key);
      await mailToken(tx, deps, 'reset_password', caller, account);
      const account_id = account?.id ?? null;
      await insertSecurityEvent(tx, ids(), { kind: 'password.reset_requested', account_id, caller });
    });
    mail.wake();
    return {};
  };
}
