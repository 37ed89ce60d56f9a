import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RegisterRequest, RegisterResponse } from '@gatehouse/proto/auth';
import { readRegistration } from '../../accounts/registration.ts';
import { refuseTakenNames } from '../../accounts/taken-names.ts';
import type { Deps } from '../../deps.ts';
import { nameConflict } from '../../errors.ts';
import { openSession } from '../../login/open-session.ts';
import { mailToken } from '../../mail/mail-token.ts';
import { insertAccount } from '../../store/accounts/accounts.ts';

export function register(deps: Deps): Handler<RegisterRequest, RegisterResponse> {
  const { db, prisma, ids, passwords, mail } = deps;
  return async (request, call) => {
    const { caller, signal } = call;
    const { form, email, username, global_name, keys } = readRegistration(request);
    await refuseTakenNames(prisma, keys, form);

    const password_hash = await passwords.hash(request.password, call);
    if (signal.aborted) throw cancelled(); // no caller would receive the token
    const newcomer = { id: ids(), username, email, password_hash, global_name };
    const session = await inTransaction(db, async (tx) => {
      const account = await insertAccount(tx, newcomer);
      if (account === undefined) return undefined;
      await mailToken(tx, deps, 'verify_email', account);
      return openSession(tx, deps, account, caller, 'registration');
    });
    if (session === undefined) {
      await refuseTakenNames(prisma, keys); // a concurrent request took a name
      throw nameConflict();
    }
    mail.wake();
    return session;
  };
}
