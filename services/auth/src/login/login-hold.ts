import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { maskEmail } from '../accounts/account-view.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../sessions/network.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { type Account, hasMfa } from '../store/accounts/account.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { insertHeldLogin } from '../store/login/held-logins.ts';
import { isNewLocation } from '../store/login/login-locations.ts';
import { type HeldClient, mailAuthorization } from './held-login-mail.ts';

/** A login that is held until the token from its mail is used. */
export interface Hold {
  readonly ticket: string;
  /** The account's address, masked. */
  readonly email: string;
  /** Seconds. */
  readonly resend_available_in: number;
}

const RESEND_AVAILABLE_IN = 30;

/**
 * Holds a login from a network that is new to the account (docs/credentials.md#new-locations), in a transaction that
 * has locked the account (`lockAccount`). Returns undefined if the login may continue. Call `deps.mail.wake()` after the
 * commit. Accounts with a second factor are exempt: it proves more than a mail.
 */
export async function holdIfNew(
  tx: PoolClient,
  deps: Deps,
  account: Account,
  caller: Caller,
): Promise<Hold | undefined> {
  const network = networkOf(caller.ip);
  const { id: account_id, email } = account;
  if (!deps.config.login_location_check || hasMfa(account) || network === undefined) return undefined;
  if (email === null || !(await isNewLocation(tx, account_id, network))) return undefined;

  const ticket = newSecret();
  const token = newSecret();
  const client: HeldClient = { ip: caller.ip, user_agent: caller.user_agent };
  await insertHeldLogin(tx, {
    ticket_hash: tokenHash(ticket),
    token_hash: tokenHash(token),
    account_id,
    network,
    ...client,
  });
  await mailAuthorization(tx, deps, account, { token, client, time_ms: deps.clock() }, caller);
  await insertSecurityEvent(tx, deps.ids(), { kind: 'login.held', account_id, caller, detail: { network } });
  return { ticket, email: maskEmail(email), resend_available_in: RESEND_AVAILABLE_IN };
}
