import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginMfaWebauthnRequest, LoginMfaWebauthnResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { invalidMfaCode, invalidTicket } from '../errors.ts';
import { attemptTicket, redeemTicket } from '../mfa-ticket.ts';
import { openSession } from '../open-session.ts';
import { provePasskey } from '../passkeys/prove-passkey.ts';
import { lockAccount } from '../store/accounts.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import { recordPasskeyUse } from '../store/webauthn-credentials.ts';

export function loginMfaWebauthn(deps: Deps): Handler<LoginMfaWebauthnRequest, LoginMfaWebauthnResponse> {
  const { db, ids } = deps;
  return async ({ ticket, response }, { caller }) => {
    const account_id = await attemptTicket(db, ticket);
    if (account_id === undefined) throw invalidTicket();
    const proven = await provePasskey(deps, { purpose: 'mfa', account_id, response });
    const answer =
      proven &&
      (await inTransaction(db, async (tx) => {
        const locked = await lockAccount(tx, account_id);
        if (locked === undefined) throw invalidTicket();
        // First, so that an answer that does not count leaves the ticket as it was.
        if (!(await recordPasskeyUse(tx, proven))) return undefined;
        if (!(await redeemTicket(tx, ticket))) throw invalidTicket();
        return openSession(tx, deps, locked.account, caller, 'passkey');
      }));
    if (answer !== undefined) return answer;

    const detail = { proof: 'passkey', signed: proven !== undefined };
    await insertSecurityEvent(db, ids(), { kind: 'login.mfa_failed', account_id, caller, detail });
    throw invalidMfaCode('response');
  };
}
