import { codePoints } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { LoginRequest, LoginResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../account-view.ts';
import type { Deps } from '../deps.ts';
import { wrongLogin } from '../errors.ts';
import { newSession } from '../new-session.ts';
import { PASSWORD_MAX, readEmailKey } from '../registration.ts';
import { findLogin } from '../store/accounts.ts';
import { insertSession } from '../store/sessions.ts';

export function login({ db, records, ids, passwords }: Deps): Handler<LoginRequest, LoginResponse> {
  return async ({ email, password }, { caller, signal }) => {
    const emailKey = readEmailKey(email);
    const found = emailKey === undefined ? undefined : await findLogin(records, emailKey);
    const password_hash = codePoints(password) > PASSWORD_MAX ? null : (found?.password_hash ?? null);

    const proven = await passwords.verify(password, password_hash, signal);
    if (!proven || found === undefined || password_hash === null) throw wrongLogin();

    const { token, session } = newSession(ids(), caller);
    const { account } = found;
    if (!(await insertSession(db, session, { id: account.id, password_hash }))) throw wrongLogin();
    return { token, user_id: account.id, user: currentUser(account) };
  };
}
