import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import { type Addressee, insertMailToken, type MailTokenPurpose } from '../store/mail/mail-tokens.ts';
import { queueMail } from './queue-mail.ts';
import { whoAsked } from './who-asked.ts';

const HOUR_MS = 3_600_000;

const MAILS = {
  verify_email: { template: 'verify-email', page: 'verify', expires_in_ms: 24 * HOUR_MS },
  reset_password: { template: 'reset-password', page: 'reset', expires_in_ms: HOUR_MS },
} as const;

/** Stands in for an unknown account. Statements about it find no row. */
const DECOY: Addressee = { id: '0', username: 'unknown.account', email: null, verified: false, locale: null };

/**
 * Mails a token that verifies the account's address or sets a new password. The transaction must lock the account
 * exclusively: by `lockAddressee`, or because it inserted or changed it. Without an account it does the same work and
 * queues an email that is not sent, so the duration does not reveal whether there is one.
 */
export async function mailToken(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config' | 'clock'>,
  purpose: MailTokenPurpose,
  caller: Caller,
  account: Addressee = DECOY,
): Promise<void> {
  const { template, page, expires_in_ms } = MAILS[purpose];
  const token = newSecret();
  const values = {
    username: account.username,
    token,
    url: mailLink(deps.config, page, token),
    ...(await whoAsked(caller, deps.clock())),
  };
  const is_sent = await queueMail(tx, deps, account, { template, values, expires_in_ms }, caller);
  // The token of an unsent mail is not stored: it would replace one that was sent.
  const { id, email } = is_sent ? account : DECOY;
  await insertMailToken(tx, {
    purpose,
    account_id: id,
    email_key: uniqueKey(email ?? ''),
    token_hash: tokenHash(token),
    expires_in_ms,
  });
}

/** A page of the web app with a token. The token is in the fragment, which browsers do not send to servers. */
export function mailLink(
  { web_app_url }: Pick<Deps['config'], 'web_app_url'>,
  page: 'verify' | 'reset' | 'authorize-ip',
  token: string,
): string {
  return `${web_app_url}/${page}#token=${token}`;
}
