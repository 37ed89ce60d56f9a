import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { currentUser } from '../accounts/account-view.ts';
import type { Deps } from '../deps.ts';
import { accountSuspended } from '../errors.ts';
import { mailNotice } from '../mail/notice-mail.ts';
import { networkOf } from '../sessions/network.ts';
import { newSessionToken, tokenHash } from '../sessions/token.ts';
import type { Account } from '../store/accounts/account.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { rememberLocation } from '../store/login/login-locations.ts';
import { insertSession } from '../store/sessions/sessions.ts';

/** The proof that completed a login. */
export type LoginProof =
  | 'registration'
  | 'password'
  | 'totp'
  | 'backup_code'
  | 'passkey'
  | 'mail'
  | 'password_reset';

/** The proofs of logins about which the owner gets, or has just used, another mail. */
const WITHOUT_LOCATION_NOTICE: ReadonlySet<LoginProof> = new Set(['registration', 'mail', 'password_reset']);

/** The response to every completed login. */
export interface SessionResponse {
  token: string;
  user_id: string;
  user: ReturnType<typeof currentUser>;
}

/**
 * Opens a session, in a transaction that has locked the account (`lockAccount`), and remembers the login's network, by
 * default the caller's. Mails the owner about a new network. Call `deps.mail.wake()` after the commit.
 *
 * @throws ACCOUNT_SUSPENDED. A suspension locks the account too, so no session outlives it.
 */
export async function openSession(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'counts' | 'encryption' | 'clock' | 'config'>,
  account: Account,
  caller: Caller,
  proof: LoginProof,
  network = networkOf(caller.ip),
): Promise<SessionResponse> {
  if (account.suspended) throw accountSuspended();
  const { ids, config } = deps;
  const session_id = ids();
  const token = newSessionToken();
  const { ip, user_agent } = caller;
  const session = { id: session_id, account_id: account.id, token_hash: tokenHash(token), ip, user_agent };
  const count = await insertSession(tx, session, config);
  const location = network === undefined ? 'known' : await rememberLocation(tx, account.id, network);
  if (location === 'new' && !WITHOUT_LOCATION_NOTICE.has(proof))
    await mailNotice(tx, deps, account, { template: 'new-login' }, caller);
  const kind = proof === 'registration' ? 'account.registered' : 'login';
  const detail = { proof, session: session_id };
  await insertSecurityEvent(tx, ids(), { kind, account_id: account.id, caller, detail });
  if (count > 0) {
    deps.counts.sessionsEnded('room', count);
    const ended = { which: 'unused', count, session: session_id };
    await insertSecurityEvent(tx, ids(), {
      kind: 'sessions.ended',
      account_id: account.id,
      caller,
      detail: ended,
    });
  }
  return { token, user_id: account.id, user: currentUser(account) };
}
