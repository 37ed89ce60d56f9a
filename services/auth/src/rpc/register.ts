import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RegisterRequest, RegisterResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../account-view.ts';
import type { Deps } from '../deps.ts';
import { accountNotMade } from '../errors.ts';
import { newSession } from '../new-session.ts';
import { failTaken, readRegistration } from '../registration.ts';
import { findTaken, insertAccount } from '../store/accounts.ts';

export function register(deps: Deps): Handler<RegisterRequest, RegisterResponse> {
  const { db, records, ids, passwords } = deps;
  return async (request, { caller, signal }) => {
    const { form, email, username, global_name, keys } = readRegistration(request);
    failTaken(form, await findTaken(records, keys));
    form.check();

    const password_hash = await passwords.hash(request.password, signal);
    if (signal.aborted) throw cancelled(); // nobody would ever hold the token
    const { token, session } = newSession(ids(), caller);
    const account = await insertAccount(
      db,
      { id: ids(), username, email, password_hash, global_name },
      session,
    );
    if (account === undefined) {
      failTaken(form, await findTaken(records, keys)); // somebody was faster
      form.check();
      throw accountNotMade();
    }
    return { token, user_id: account.id, user: currentUser(account) };
  };
}
