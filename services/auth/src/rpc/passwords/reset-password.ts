import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetPasswordRequest, ResetPasswordResponse } from '@gatehouse/proto/auth';
import { checkPassword } from '../../accounts/registration.ts';
import type { Deps } from '../../deps.ts';
import { accountSuspended, invalidMailToken } from '../../errors.ts';
import { secondFactorResponse } from '../../login/continue-login.ts';
import { openSession } from '../../login/open-session.ts';
import { mailNotice } from '../../mail/notice-mail.ts';
import { tokenHash } from '../../sessions/token.ts';
import { hasMfa } from '../../store/accounts/account.ts';
import { lockAccount, replacePassword } from '../../store/accounts/accounts.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { endPendingLogins } from '../../store/login/pending-logins.ts';
import { findMailToken, useMailToken } from '../../store/mail/mail-tokens.ts';
import { endAllSessions } from '../../store/sessions/sessions.ts';

export function resetPassword(deps: Deps): Handler<ResetPasswordRequest, ResetPasswordResponse> {
  const { db, ids, passwords, counts } = deps;
  return async ({ token, password }, call) => {
    const { caller, signal } = call;
    const token_hash = tokenHash(token);
    const owner = await findMailToken(db, 'reset_password', token_hash);
    const form = new Form();
    checkPassword(form, 'password', password);
    if (owner === undefined) throw invalidMailToken(form.violations);
    form.check();

    const password_hash = await passwords.hash(password, call);
    if (signal.aborted) throw cancelled(); // no caller would receive the session
    const loginResponse = await inTransaction(db, async (tx) => {
      // Locks the account before the token: concurrent requests wait here and then find the token used.
      const replaced = await replacePassword(tx, owner, password_hash);
      if (!replaced || !(await useMailToken(tx, 'reset_password', token_hash))) throw invalidMailToken();

      const { account_id } = owner;
      const sessions = await endAllSessions(tx, account_id);
      counts.sessionsEnded('password', sessions);
      await endPendingLogins(tx, account_id);
      const detail = { sessions };
      await insertSecurityEvent(tx, ids(), { kind: 'password.reset', account_id, caller, detail });

      // Reads the account under the lock: its factors can no longer change.
      const account = (await lockAccount(tx, account_id))?.account;
      if (account === undefined) throw invalidMailToken(); // unreachable: the row is locked
      if (account.suspended) throw accountSuspended(); // rolls back: the password stays
      await mailNotice(tx, deps, account, { template: 'password-changed' }, caller);
      if (hasMfa(account)) return secondFactorResponse(tx, account);
      const session = await openSession(tx, deps, account, caller, 'password_reset');
      return { ...session, allowed_methods: [] };
    });
    deps.mail.wake();
    return loginResponse;
  };
}
