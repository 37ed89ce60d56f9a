import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import type { Account } from '../store/accounts/account.ts';
import { nameKey } from '../store/encryption/account-keys.ts';
import { insertMail } from '../store/mail/mails.ts';
import { countUnverifiedMail } from '../store/mail/verification-mails.ts';
import { type Email, encryptEmail } from './email.ts';

/** Who gets an email. Without an address it is composed like any other, and is not sent. */
export type Recipient = Pick<Account, 'email' | 'verified'>;

/**
 * Adds an email to the outbox, in the transaction of the change that it reports. Call `deps.mail.wake()` after the
 * commit to send it at once. An address that is not verified gets so many of a kind a day
 * (docs/credentials.md#unverified-addresses): a further one takes the same statements, is not sent, and this returns
 * false.
 */
export async function queueMail(
  tx: PoolClient,
  { ids, encryption }: Pick<Deps, 'ids' | 'encryption'>,
  { email: address, verified }: Recipient,
  { expires_in_ms, ...content }: Omit<Email, 'to'>,
): Promise<boolean> {
  const is_sent = await countUnverifiedMail(tx, {
    email_key: nameKey(address ?? ''),
    kind: content.template,
    verified: verified || address === null,
  });
  const id = ids();
  const to = is_sent ? (address ?? '') : '';
  await insertMail(tx, { id, encrypted: encryptEmail(encryption, id, { to, ...content }), expires_in_ms });
  return is_sent;
}
