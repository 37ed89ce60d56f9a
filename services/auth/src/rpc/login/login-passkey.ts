import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginPasskeyRequest, LoginPasskeyResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMfaCode } from '../../errors.ts';
import { openSession } from '../../login/open-session.ts';
import { provePasskey } from '../../passkeys/prove-passkey.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { recordPasskeyUse } from '../../store/mfa/webauthn-credentials.ts';

/** A passkey with user verification counts as two factors: it needs no second factor, and the login is never held. */
export function loginPasskey(deps: Deps): Handler<LoginPasskeyRequest, LoginPasskeyResponse> {
  const { db, ids, mail } = deps;
  return async ({ response }, { caller }) => {
    const proven = await provePasskey(deps, { purpose: 'login', account_id: null, response });
    const session =
      proven &&
      (await inTransaction(db, async (tx) => {
        const locked = await lockAccount(tx, proven.account_id);
        if (locked === undefined || !(await recordPasskeyUse(tx, proven))) return undefined;
        return openSession(tx, deps, locked.account, caller, 'passkey');
      }));
    if (session !== undefined) {
      mail.wake();
      return session;
    }

    const account_id = proven?.account_id ?? null;
    const detail = { proof: 'passkey', signed: proven !== undefined };
    await insertSecurityEvent(db, ids(), { kind: 'login.failed', account_id, caller, detail });
    throw invalidMfaCode('response');
  };
}
