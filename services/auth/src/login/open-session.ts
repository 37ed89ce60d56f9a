import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { currentUser } from '../accounts/account-view.ts';
import type { Deps } from '../deps.ts';
import { mailNotice } from '../mail/notice-mail.ts';
import { newSessionToken, tokenHash } from '../sessions/token.ts';
import type { Account } from '../store/account.ts';
import { rememberLocation } from '../store/login-locations.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import { insertSession } from '../store/sessions.ts';
import { networkOf } from './network.ts';

/** What proved who logs in, at last. */
export type LoginProof =
  | 'registration'
  | 'password'
  | 'totp'
  | 'backup_code'
  | 'passkey'
  | 'mail'
  | 'password_reset';

/** A mail of its own has named the place, or tells of the password and of where it was set. */
const TOLD_ALREADY: ReadonlySet<LoginProof> = new Set(['registration', 'mail', 'password_reset']);

/** What every finished login answers with. */
export interface SessionAnswer {
  token: string;
  user_id: string;
  user: ReturnType<typeof currentUser>;
}

/**
 * Opens a session, in a transaction that holds the account (`lockAccount`), and remembers the network that
 * the login comes from: the caller's, unless the login began elsewhere. The owner is told of a new one;
 * `deps.mail.kick()` after the commit sends it.
 */
export async function openSession(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'clock' | 'config'>,
  account: Account,
  caller: Caller,
  proof: LoginProof,
  network = networkOf(caller.ip),
): Promise<SessionAnswer> {
  const { ids, config } = deps;
  const session_id = ids();
  const token = newSessionToken();
  const { ip, user_agent } = caller;
  const session = { id: session_id, account_id: account.id, token_hash: tokenHash(token), ip, user_agent };
  const count = await insertSession(tx, session, config);
  const location = network === undefined ? 'known' : await rememberLocation(tx, account.id, network);
  if (location === 'new' && !TOLD_ALREADY.has(proof))
    await mailNotice(tx, deps, account, { template: 'new-login' }, caller);
  const kind = proof === 'registration' ? 'account.registered' : 'login';
  const detail = { proof, session: session_id };
  await insertSecurityEvent(tx, ids(), { kind, account_id: account.id, caller, detail });
  if (count > 0) {
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
