import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { insertMail } from '../store/mails.ts';
import { type Letter, sealLetter } from './email.ts';

/** Writes a mail to the outbox, in the transaction that it tells of; `deps.mail.kick()` after the commit sends it. */
export async function queueMail(
  tx: Pool | PoolClient,
  { ids, seals }: Pick<Deps, 'ids' | 'seals'>,
  letter: Letter,
): Promise<void> {
  const id = ids();
  await insertMail(tx, { id, letter: sealLetter(seals, id, letter), expires_in_ms: letter.expires_in_ms });
}
