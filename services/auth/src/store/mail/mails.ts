import type { Pool, PoolClient } from 'pg';
import type { EncryptedValue, Replacement } from '../encryption/encrypted-value.ts';

/** A row of the outbox. */
export interface QueuedMail {
  readonly id: string;
  /** An encrypted email (`decryptEmail`). */
  readonly encrypted: Buffer;
  /** The number of attempts to send it, including the current one. */
  readonly attempts: number;
  readonly expired: boolean;
}

export async function insertMail(
  tx: Pool | PoolClient,
  mail: { readonly id: string; readonly encrypted: Buffer; readonly expires_in_ms: number },
): Promise<void> {
  await tx.query({
    name: 'insert_mail',
    text: `INSERT INTO mails (id, letter, expires_at)
           VALUES ($1, $2, now() + $3::double precision * interval '1 millisecond')`,
    values: [mail.id, mail.encrypted, mail.expires_in_ms],
  });
}

/** Claims mails that are due. No other replica claims them until the lease ends. */
export async function claimMails(db: Pool, limit: number, lease_ms: number): Promise<QueuedMail[]> {
  const { rows } = await db.query<QueuedMail>({
    name: 'claim_mails',
    text: `WITH due AS MATERIALIZED (
             SELECT id FROM mails WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE mails
              SET attempts = attempts + 1,
                  next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE mails.id = due.id
        RETURNING mails.id, letter AS encrypted, attempts, expires_at <= now() AS expired`,
    values: [limit, lease_ms],
  });
  return rows;
}

/** Ends a claim. The mail is due again after the delay, or at its expiry if that is sooner. */
export async function postponeMail(db: Pool, id: string, delay_ms: number): Promise<void> {
  await db.query({
    name: 'postpone_mail',
    text: `UPDATE mails
              SET next_attempt_at = least(now() + $2::double precision * interval '1 millisecond', expires_at)
            WHERE id = $1`,
    values: [id, delay_ms],
  });
}

export async function deleteMails(db: Pool, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'delete_mails',
    text: 'DELETE FROM mails WHERE id = ANY ($1::bigint[])',
    values: [ids],
  });
}

/** The encrypted emails after an ID, ordered by ID. */
export async function pageMails(db: Pool, after: string, limit: number): Promise<EncryptedValue[]> {
  const { rows } = await db.query<EncryptedValue>({
    name: 'page_mails',
    text: 'SELECT id, letter AS encrypted FROM mails WHERE id > $1 ORDER BY id LIMIT $2',
    values: [after, limit],
  });
  return rows;
}

/** Replaces values that have not changed, and returns the old bytes of the replaced ones. Locked rows are skipped. */
export async function replaceMails(db: Pool, replacements: readonly Replacement[]): Promise<Buffer[]> {
  const { rows } = await db.query<{ before: Buffer }>({
    name: 'replace_mails',
    text: `WITH locked AS MATERIALIZED (
             SELECT mails.id, before, after
               FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS new (id, before, after)
               JOIN mails ON mails.id = new.id AND letter = before
                FOR NO KEY UPDATE OF mails SKIP LOCKED)
           UPDATE mails SET letter = after FROM locked WHERE mails.id = locked.id
        RETURNING before`,
    values: [
      replacements.map(({ id }) => id),
      replacements.map(({ before }) => before),
      replacements.map(({ after }) => after),
    ],
  });
  return rows.map(({ before }) => before);
}
