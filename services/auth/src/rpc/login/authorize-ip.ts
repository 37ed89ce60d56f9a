import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AuthorizeIpRequest, AuthorizeIpResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMailToken } from '../../errors.ts';
import { tokenHash } from '../../sessions/token.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { authorizeHeldLogin, findHeldLoginOwner } from '../../store/login/held-logins.ts';
import { rememberLocation } from '../../store/login/login-locations.ts';

export function authorizeIp({ db, ids }: Deps): Handler<AuthorizeIpRequest, AuthorizeIpResponse> {
  return async ({ token }, { caller }) => {
    const hash = tokenHash(token);
    const account_id = await findHeldLoginOwner(db, hash);
    if (account_id === undefined) throw invalidMailToken();

    const network = await inTransaction(db, async (tx) => {
      if ((await lockAccount(tx, account_id)) === undefined) return undefined;
      const authorized = await authorizeHeldLogin(tx, hash);
      if (authorized === undefined) return undefined;
      await rememberLocation(tx, account_id, authorized);
      const detail = { network: authorized };
      await insertSecurityEvent(tx, ids(), { kind: 'login.authorized', account_id, caller, detail });
      return authorized;
    });
    if (network === undefined) throw invalidMailToken();
    return {};
  };
}
