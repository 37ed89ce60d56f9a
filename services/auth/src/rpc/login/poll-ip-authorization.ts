import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { PollIpAuthorizationRequest, PollIpAuthorizationResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidTicket } from '../../errors.ts';
import { openSession } from '../../login/open-session.ts';
import { tokenHash } from '../../sessions/token.ts';
import { hasMfa } from '../../store/accounts/account.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { findHeldLogin, redeemHeldLogin } from '../../store/login/held-logins.ts';

export function pollIpAuthorization(
  deps: Deps,
): Handler<PollIpAuthorizationRequest, PollIpAuthorizationResponse> {
  return async ({ ticket }, { caller }) => {
    const hash = tokenHash(ticket);
    const held = await findHeldLogin(deps.db, hash);
    if (held === undefined) throw invalidTicket();
    if (!held.authorized) return { completed: false, user: null };

    const session = await inTransaction(deps.db, async (tx) => {
      const locked = await lockAccount(tx, held.account_id);
      const network = locked && (await redeemHeldLogin(tx, hash));
      if (locked === undefined || network === undefined) return undefined;
      // The account has a second factor by now: the user must log in again with it.
      if (hasMfa(locked.account)) return undefined;
      // The network of the login, which the mail named. The poll may come from another.
      return openSession(tx, deps, locked.account, caller, 'mail', network);
    });
    if (session === undefined) throw invalidTicket();
    return { completed: true, ...session };
  };
}
