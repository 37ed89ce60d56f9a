import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { insertMail } from '../store/mails.ts';
import { type Email, encryptEmail } from './email.ts';

/**
 * Adds an email to the outbox, in the transaction of the change that it reports. Call `deps.mail.wake()` after the
 * commit to send it at once.
 */
export async function queueMail(
  tx: Pool | PoolClient,
  { ids, encryption }: Pick<Deps, 'ids' | 'encryption'>,
  email: Email,
): Promise<void> {
  const id = ids();
  const { expires_in_ms } = email;
  await insertMail(tx, { id, encrypted: encryptEmail(encryption, id, email), expires_in_ms });
}
