import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ResendIpAuthorizationRequest, ResendIpAuthorizationResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidTicket, resendNotAvailable } from '../../errors.ts';
import { mailAuthorization } from '../../login/held-login-mail.ts';
import { newSecret, tokenHash } from '../../sessions/token.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { findHeldLogin, resendHeldLogin } from '../../store/login/held-logins.ts';

export function resendIpAuthorization(
  deps: Deps,
): Handler<ResendIpAuthorizationRequest, ResendIpAuthorizationResponse> {
  return async ({ ticket }, { caller }) => {
    const hash = tokenHash(ticket);
    const held = await findHeldLogin(deps.db, hash);
    if (held === undefined) throw invalidTicket();

    const token = newSecret();
    const resent = await inTransaction(deps.db, async (tx) => {
      const account = (await lockAccount(tx, held.account_id))?.account;
      if (account?.email == null || !(await resendHeldLogin(tx, hash, tokenHash(token)))) return false;
      const time_ms = held.created_at.getTime();
      await mailAuthorization(tx, deps, account, { token, client: held, time_ms }, caller);
      return true;
    });
    if (!resent) {
      const now = await findHeldLogin(deps.db, hash);
      if (now === undefined) throw invalidTicket();
      throw resendNotAvailable(now.resend_available_in);
    }
    deps.mail.wake();
    return {};
  };
}
