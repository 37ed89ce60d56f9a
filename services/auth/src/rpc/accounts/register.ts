import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RegisterRequest, RegisterResponse } from '@gatehouse/proto/auth';
import { acceptedLanguage } from '../../accounts/languages.ts';
import { readRegistration } from '../../accounts/registration.ts';
import { refuseTakenKeys } from '../../accounts/taken-keys.ts';
import type { Deps } from '../../deps.ts';
import { brieflyTaken } from '../../errors.ts';
import { openSession } from '../../login/open-session.ts';
import { mailToken } from '../../mail/mail-token.ts';
import { insertAccount } from '../../store/accounts/accounts.ts';

export function register(deps: Deps): Handler<RegisterRequest, RegisterResponse> {
  const { db, prisma, ids, passwords, mail } = deps;
  return async (request, call) => {
    const { caller, signal } = call;
    const { form, email, username, global_name, keys } = readRegistration(request);
    await refuseTakenKeys(prisma, keys, form);

    const password_hash = await passwords.hash(request.password, call);
    if (signal.aborted) throw cancelled(); // no caller would receive the token
    const locale = acceptedLanguage(caller.accept_language);
    const newcomer = { id: ids(), username, email, password_hash, global_name, locale };
    const session = await inTransaction(db, async (tx) => {
      const account = await insertAccount(tx, newcomer);
      if (account === undefined) return undefined;
      await mailToken(tx, deps, 'verify_email', caller, account);
      return openSession(tx, deps, account, caller, 'registration');
    });
    if (session === undefined) {
      await refuseTakenKeys(prisma, keys); // a concurrent request took a key
      throw brieflyTaken();
    }
    mail.wake();
    return session;
  };
}
