import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { insertMail } from '../store/mails.ts';
import { sealLetter } from './email.ts';

/** A mail to be sent. */
export interface Letter {
  /** Empty: nobody. It costs what any other does and is not sent. */
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
  /** Past this nobody needs it any more. */
  readonly expires_in_ms: number;
}

/** Writes a mail to the outbox, in the transaction that it tells of; `deps.mail.kick()` after the commit sends it. */
export async function queueMail(
  tx: Pool | PoolClient,
  { ids, seals }: Pick<Deps, 'ids' | 'seals'>,
  letter: Letter,
): Promise<void> {
  const id = ids();
  await insertMail(tx, { id, letter: sealLetter(seals, id, letter), expires_in_ms: letter.expires_in_ms });
}
