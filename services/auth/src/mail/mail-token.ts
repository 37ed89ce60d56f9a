import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import type { Account } from '../store/accounts/account.ts';
import { nameKey } from '../store/encryption/account-keys.ts';
import { insertMailToken, type MailTokenPurpose } from '../store/mail/mail-tokens.ts';
import { queueMail } from './queue-mail.ts';

type Addressee = Pick<Account, 'id' | 'username' | 'email' | 'verified'>;

const HOUR_MS = 3_600_000;
const VERIFY_MS = 24 * HOUR_MS;
const RESET_MS = HOUR_MS;

/** Stands in for an unknown account. Statements about it find no row. */
const DECOY: Addressee = { id: '0', username: 'unknown.account', email: null, verified: false };

/**
 * Mails a token that verifies the account's address. The transaction must lock the account exclusively: by
 * `lockAddresseeById`, or because it inserted or changed it.
 */
export async function mailVerification(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config'>,
  account: Addressee,
): Promise<void> {
  const token = newSecret();
  const is_sent = await queueMail(tx, deps, account, {
    template: 'verify-email',
    values: { username: account.username, token, url: mailLink(deps.config, 'verify', token) },
    expires_in_ms: VERIFY_MS,
  });
  await keepToken(tx, 'verify_email', is_sent ? account : DECOY, token, VERIFY_MS);
}

/**
 * Mails a token that sets a new password, in a transaction that locks the account exclusively. Without an account it
 * does the same work and queues an email that is not sent, so the duration does not reveal whether there is one.
 */
export async function mailPasswordReset(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config'>,
  account: Addressee = DECOY,
): Promise<void> {
  const token = newSecret();
  const is_sent = await queueMail(tx, deps, account, {
    template: 'reset-password',
    values: { username: account.username, token, url: mailLink(deps.config, 'reset', token) },
    expires_in_ms: RESET_MS,
  });
  await keepToken(tx, 'reset_password', is_sent ? account : DECOY, token, RESET_MS);
}

/** A page of the web app with a token. The token is in the fragment, which no server receives or logs. */
export function mailLink(
  { web_app_url }: Pick<Deps['config'], 'web_app_url'>,
  page: 'verify' | 'reset' | 'authorize-ip',
  token: string,
): string {
  return `${web_app_url}/${page}#token=${token}`;
}

/** An unsent token is not stored: it would take the place of one that was sent. */
async function keepToken(
  tx: PoolClient,
  purpose: MailTokenPurpose,
  { id, email }: Addressee,
  token: string,
  expires_in_ms: number,
): Promise<void> {
  await insertMailToken(tx, {
    purpose,
    account_id: id,
    email_key: nameKey(email ?? ''),
    token_hash: tokenHash(token),
    expires_in_ms,
  });
}
