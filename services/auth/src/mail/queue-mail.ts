import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { languageOfMail } from '../accounts/languages.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../store/accounts/account.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import { insertMail } from '../store/mail/mails.ts';
import { countUnverifiedMail } from '../store/mail/verification-mails.ts';
import { type Email, encryptEmail } from './email.ts';

/** Without an address, the email is queued and composed like any other, but not sent. */
export type Recipient = Pick<Account, 'email' | 'verified' | 'locale'>;

/**
 * Queues an email in the transaction of the change that it reports. Call `deps.mail.wake()` after the commit to send it
 * at once. An unverified address gets a limited number of each kind a day (docs/credentials.md#unverified-addresses).
 * Over that limit, the same statements run and the email is not sent. Its language is that of the account, else that of
 * the request that caused it.
 *
 * @returns whether the email will be sent
 */
export async function queueMail(
  tx: PoolClient,
  { ids, encryption }: Pick<Deps, 'ids' | 'encryption'>,
  { email: address, verified, locale }: Recipient,
  { expires_in_ms, ...content }: Omit<Email, 'to' | 'language'>,
  caller: Pick<Caller, 'accept_language'>,
): Promise<boolean> {
  const is_sent = await countUnverifiedMail(tx, {
    email_key: uniqueKey(address ?? ''),
    kind: content.template,
    verified: verified || address === null,
  });
  const id = ids();
  const to = is_sent ? (address ?? '') : '';
  const language = languageOfMail(locale, caller.accept_language);
  const encrypted = encryptEmail(encryption, id, { to, language, ...content });
  await insertMail(tx, { id, encrypted, expires_in_ms });
  return is_sent;
}
