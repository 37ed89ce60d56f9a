import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import type { Account } from '../store/account.ts';
import { nameKey } from '../store/account-keys.ts';
import { insertMailToken, type MailTokenPurpose } from '../store/mail-tokens.ts';
import { countUnverifiedMail } from '../store/verification-mails.ts';
import { queueMail } from './queue.ts';

type Addressee = Pick<Account, 'id' | 'username' | 'email'>;

const HOUR_MS = 3_600_000;
const VERIFY_MS = 24 * HOUR_MS;
const RESET_MS = HOUR_MS;

/**
 * Mails a token that verifies the account's address, unless the address has had five such mails within a day, from
 * whatever account: nothing happens then, and nobody learns of it. The transaction must hold the account exclusively:
 * `holdAddressee`, or it has just inserted or changed it.
 */
export async function mailVerification(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config'>,
  account: Addressee,
): Promise<void> {
  if (!(await countUnverifiedMail(tx, nameKey(account.email ?? '')))) return;
  const token = await makeToken(tx, 'verify_email', account, VERIFY_MS);
  await queueMail(tx, deps, {
    to: account.email ?? '',
    template: 'verify-email',
    values: { username: account.username, token, url: mailLink(deps.config, 'verify', token) },
    expires_in_ms: VERIFY_MS,
  });
}

/** Stands for an unknown account. Statements about it find no row. */
const DECOY: Addressee = { id: '0', username: 'unknown.account', email: null };

/**
 * Mails a token that sets a new password, in a transaction that holds the account exclusively. Without an account
 * it does the same work and queues an email that is not sent, so the duration does not tell whether there is one.
 */
export async function mailPasswordReset(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config'>,
  account: Addressee = DECOY,
): Promise<void> {
  const token = await makeToken(tx, 'reset_password', account, RESET_MS);
  await queueMail(tx, deps, {
    to: account.email ?? '',
    template: 'reset-password',
    values: { username: account.username, token, url: mailLink(deps.config, 'reset', token) },
    expires_in_ms: RESET_MS,
  });
}

/** A page of the web app with a token. The token is in the fragment, which no server receives or logs. */
export function mailLink(
  { web_app_url }: Pick<Deps['config'], 'web_app_url'>,
  page: 'verify' | 'reset' | 'authorize-ip',
  token: string,
): string {
  return `${web_app_url}/${page}#token=${token}`;
}

async function makeToken(
  tx: PoolClient,
  purpose: MailTokenPurpose,
  { id, email }: Addressee,
  expires_in_ms: number,
): Promise<string> {
  const token = newSecret();
  const email_key = nameKey(email ?? '');
  await insertMailToken(tx, {
    purpose,
    account_id: id,
    email_key,
    token_hash: tokenHash(token),
    expires_in_ms,
  });
  return token;
}
