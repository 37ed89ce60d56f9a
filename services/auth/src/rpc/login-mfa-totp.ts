import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginMfaTotpRequest, LoginMfaTotpResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { invalidMfaCode, invalidTicket } from '../errors.ts';
import { attemptTicket, redeemTicket } from '../mfa-ticket.ts';
import { openSession } from '../open-session.ts';
import { useCode } from '../second-factor.ts';
import { lockAccount } from '../store/accounts.ts';
import { insertSecurityEvent } from '../store/security-events.ts';

export function loginMfaTotp(deps: Deps): Handler<LoginMfaTotpRequest, LoginMfaTotpResponse> {
  const { db, ids } = deps;
  return async ({ ticket, code }, { caller }) => {
    const account_id = await attemptTicket(db, ticket);
    if (account_id === undefined) throw invalidTicket();

    const session = await inTransaction(db, async (tx) => {
      const locked = await lockAccount(tx, account_id);
      if (locked === undefined) throw invalidTicket();
      const proof = await useCode(tx, deps, { account_id, code, caller });
      if (proof === undefined) {
        await insertSecurityEvent(tx, ids(), { kind: 'login.mfa_failed', account_id, caller });
        return undefined;
      }
      // Thrown, it gives the code back.
      if (!(await redeemTicket(tx, ticket))) throw invalidTicket();
      return openSession(tx, deps, locked.account, caller, proof);
    });
    if (session === undefined) throw invalidMfaCode('code');
    return session;
  };
}
