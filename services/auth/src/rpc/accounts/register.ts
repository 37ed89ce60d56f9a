import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RegisterRequest, RegisterResponse } from '@gatehouse/proto/auth';
import { failTaken, readRegistration } from '../../accounts/registration.ts';
import type { Deps } from '../../deps.ts';
import { accountNotMade } from '../../errors.ts';
import { openSession } from '../../login/open-session.ts';
import { mailVerification } from '../../mail/mail-token.ts';
import { findTaken, insertAccount } from '../../store/accounts/accounts.ts';

export function register(deps: Deps): Handler<RegisterRequest, RegisterResponse> {
  const { db, prisma, ids, passwords, mail } = deps;
  return async (request, call) => {
    const { caller, signal } = call;
    const { form, email, username, global_name, keys } = readRegistration(request);
    failTaken(form, await findTaken(prisma, keys));
    form.check();

    const password_hash = await passwords.hash(request.password, call);
    if (signal.aborted) throw cancelled(); // nobody would receive the token
    const newcomer = { id: ids(), username, email, password_hash, global_name };
    const answer = await inTransaction(db, async (tx) => {
      const account = await insertAccount(tx, newcomer);
      if (account === undefined) return undefined;
      await mailVerification(tx, deps, account);
      return openSession(tx, deps, account, caller, 'registration');
    });
    if (answer === undefined) {
      failTaken(form, await findTaken(prisma, keys)); // a concurrent request took a name
      form.check();
      throw accountNotMade();
    }
    mail.wake();
    return answer;
  };
}
