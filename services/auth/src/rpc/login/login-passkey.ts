import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Fault } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginPasskeyRequest, LoginPasskeyResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidMfaCode } from '../../errors.ts';
import { noteSuspended } from '../../login/note-suspended.ts';
import { openSession, type SessionResponse } from '../../login/open-session.ts';
import { provePasskey } from '../../passkeys/prove-passkey.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { recordPasskeyUse } from '../../store/mfa/webauthn-credentials.ts';

/** What the audit log says about a suspended account is committed before its refusal is thrown. */
type Outcome =
  | { readonly session: SessionResponse; readonly refusal?: undefined }
  | { readonly refusal: Fault; readonly session?: undefined };

/** A passkey with user verification counts as two factors: it needs no second factor, and the login is never held. */
export function loginPasskey(deps: Deps): Handler<LoginPasskeyRequest, LoginPasskeyResponse> {
  const { db, ids, mail } = deps;
  return async ({ response }, { caller }) => {
    const proven = await provePasskey(deps, { purpose: 'login', account_id: null, response });
    const outcome =
      proven &&
      (await inTransaction<Outcome | undefined>(db, async (tx) => {
        const locked = await lockAccount(tx, proven.account_id);
        if (locked === undefined || !(await recordPasskeyUse(tx, proven))) return undefined;
        const { account } = locked;
        if (account.suspended) return { refusal: await noteSuspended(tx, deps, account, caller, 'passkey') };
        return { session: await openSession(tx, deps, account, caller, 'passkey') };
      }));
    if (outcome?.refusal !== undefined) throw outcome.refusal;
    if (outcome !== undefined) {
      mail.wake();
      return outcome.session;
    }

    const account_id = proven?.account_id ?? null;
    const detail = { proof: 'passkey', signed: proven !== undefined };
    await insertSecurityEvent(db, ids(), { kind: 'login.failed', account_id, caller, detail });
    throw invalidMfaCode('response');
  };
}
