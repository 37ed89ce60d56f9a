import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Fault } from '@gatehouse/kit/fault';
import type { LoginResponse } from '@gatehouse/proto/auth';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { authenticatorTypes } from '../accounts/account-view.ts';
import type { Deps } from '../deps.ts';
import { loginHeld, wrongLogin } from '../errors.ts';
import { issueTicket } from '../mfa/mfa-ticket.ts';
import { type Account, hasMfa, hasSamePassword } from '../store/accounts/account.ts';
import { lockAccount } from '../store/accounts/accounts.ts';
import { hasBackupCode } from '../store/mfa/backup-codes.ts';
import { holdIfNew } from './login-hold.ts';
import { noteSuspended } from './note-suspended.ts';
import { openSession } from './open-session.ts';

/** A hold, and what the audit log says about a suspended account, is committed before its refusal is thrown. */
type Outcome =
  | { readonly response: LoginResponse; readonly refusal?: undefined }
  | { readonly refusal: Fault; readonly response?: undefined };

/**
 * Continues a login after the proof of its password. An account with a second factor gets a ticket. Any other gets a
 * session, unless the login is held because of its location.
 *
 * @throws IP_AUTHORIZATION_REQUIRED if it is held; ACCOUNT_SUSPENDED
 */
export async function continueLogin(
  deps: Deps,
  proven: Pick<Account, 'id' | 'password_changed_at'>,
  caller: Caller,
): Promise<LoginResponse> {
  const { refusal, response } = await inTransaction<Outcome>(deps.db, async (tx) => {
    const locked = await lockAccount(tx, proven.id);
    // The account was deleted or changed while the password was hashed.
    if (locked === undefined || !hasSamePassword(locked.account, proven)) throw wrongLogin();
    const { account } = locked;
    if (account.suspended) return { refusal: await noteSuspended(tx, deps, account, caller, 'password') };
    if (hasMfa(account)) return { response: await secondFactorResponse(tx, account) };
    const held = await holdIfNew(tx, deps, account, caller);
    if (held !== undefined) return { refusal: loginHeld(held) };
    const session = await openSession(tx, deps, account, caller, 'password');
    return { response: { ...session, allowed_methods: [] } };
  });
  deps.mail.wake(); // the mail about the held login or the new location is committed
  if (refusal !== undefined) throw refusal;
  return response;
}

/** The response to a login that needs a second factor, in a transaction that has locked the account. */
export async function secondFactorResponse(tx: PoolClient, account: Account): Promise<LoginResponse> {
  return {
    mfa: true,
    user: null,
    ticket: await issueTicket(tx, account.id),
    allowed_methods: authenticatorTypes(account),
    backup_codes: await hasBackupCode(tx, account.id),
  };
}
