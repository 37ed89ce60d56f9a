import { codePoints } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginRequest, LoginResponse } from '@gatehouse/proto/auth';
import { PASSWORD_MAX, readEmailKey } from '../../accounts/registration.ts';
import type { Deps } from '../../deps.ts';
import { wrongLogin } from '../../errors.ts';
import { continueLogin } from '../../login/continue-login.ts';
import { renewHash } from '../../passwords/renew-hash.ts';
import { findAccountByEmail } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';

export function login(deps: Deps): Handler<LoginRequest, LoginResponse> {
  const { db, ids, passwords } = deps;
  return async ({ email, password }, call) => {
    const email_key = readEmailKey(email);
    const found = email_key === undefined ? undefined : await findAccountByEmail(db, email_key);
    const password_hash = codePoints(password) > PASSWORD_MAX ? null : (found?.password_hash ?? null);

    const matches = await passwords.verify(password, password_hash, call);
    if (!matches || found === undefined || password_hash === null) {
      const account_id = found?.account.id ?? null;
      await insertSecurityEvent(db, ids(), { kind: 'login.failed', account_id, caller: call.caller });
      throw wrongLogin();
    }
    const { account } = found;
    await renewHash(deps, { account_id: account.id, password, password_hash }, call);
    return continueLogin(deps, account, call.caller);
  };
}
