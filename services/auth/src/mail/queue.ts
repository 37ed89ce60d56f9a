import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { insertMail } from '../store/mails.ts';
import { encryptEmail } from './email.ts';

/** An email to send. */
export interface Email {
  /** Empty: the email is composed like any other, and is not sent. */
  readonly to: string;
  readonly template:
    | 'verify-email'
    | 'reset-password'
    | 'authorize-login'
    | 'email-changed'
    | 'password-changed'
    | 'factor-added'
    | 'factor-removed'
    | 'new-login'
    | 'mfa-held';
  readonly values: Readonly<Record<string, string>>;
  /** It is not sent later than this. */
  readonly expires_in_ms: number;
}

/**
 * Adds an email to the outbox, in the transaction of the change that it reports. Call `deps.mail.kick()` after the
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
