import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { currentUser } from './account-view.ts';
import type { Deps } from './deps.ts';
import { networkOf } from './network.ts';
import type { Account } from './store/account.ts';
import { rememberLocation } from './store/login-locations.ts';
import { insertSecurityEvent } from './store/security-events.ts';
import { insertSession } from './store/sessions.ts';
import { newSessionToken, tokenHash } from './token.ts';

/** What proved who logs in, at last. */
export type LoginProof =
  | 'registration'
  | 'password'
  | 'totp'
  | 'backup_code'
  | 'passkey'
  | 'mail'
  | 'password_reset';

/** What every finished login answers with. */
export interface SessionAnswer {
  token: string;
  user_id: string;
  user: ReturnType<typeof currentUser>;
}

/**
 * Opens a session, in a transaction that holds the account (`lockAccount`), and remembers the network that
 * the login comes from: the caller's, unless the login began elsewhere.
 */
export async function openSession(
  tx: PoolClient,
  { ids, config }: Pick<Deps, 'ids' | 'config'>,
  account: Account,
  caller: Caller,
  proof: LoginProof,
  network = networkOf(caller.ip),
): Promise<SessionAnswer> {
  const session_id = ids();
  const token = newSessionToken();
  const { ip, user_agent } = caller;
  const session = { id: session_id, account_id: account.id, token_hash: tokenHash(token), ip, user_agent };
  const count = await insertSession(tx, session, config);
  if (network !== undefined) await rememberLocation(tx, account.id, network);
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
