import type { Pool, PoolClient } from 'pg';
import type { Replacement, SealedValue } from './encrypted-value.ts';

/** A mail of the outbox. */
export interface QueuedMail {
  readonly id: string;
  /** Sealed. */
  readonly letter: Buffer;
  /** How often it was tried, this time included. */
  readonly attempts: number;
  /** Nobody needs it any more. */
  readonly expired: boolean;
}

export async function insertMail(
  tx: Pool | PoolClient,
  mail: { readonly id: string; readonly letter: Buffer; readonly expires_in_ms: number },
): Promise<void> {
  await tx.query({
    name: 'insert_mail',
    text: `INSERT INTO mails (id, letter, expires_at)
           VALUES ($1, $2, now() + $3::double precision * interval '1 millisecond')`,
    values: [mail.id, mail.letter, mail.expires_in_ms],
  });
}

/** Takes mails that are due, for as long as the lease: until then no other replica takes them. */
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
        RETURNING mails.id, letter, attempts, expires_at <= now() AS expired`,
    values: [limit, lease_ms],
  });
  return rows;
}

/** Ends a claim: the mail is due again after the delay, or at its expiry if that is sooner. */
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

/** The letters of the mails that follow. */
export async function pageLetters(db: Pool, after: string, limit: number): Promise<SealedValue[]> {
  const { rows } = await db.query<SealedValue>({
    name: 'page_letters',
    text: 'SELECT id, letter AS sealed FROM mails WHERE id > $1 ORDER BY id LIMIT $2',
    values: [after, limit],
  });
  return rows;
}

/** Replaces letters that are still what they were; gives those that were replaced. Nobody is waited for. */
export async function replaceLetters(db: Pool, replacements: readonly Replacement[]): Promise<Buffer[]> {
  const { rows } = await db.query<{ before: Buffer }>({
    name: 'replace_letters',
    text: `WITH held AS MATERIALIZED (
             SELECT mails.id, before, after
               FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS new (id, before, after)
               JOIN mails ON mails.id = new.id AND letter = before
                FOR NO KEY UPDATE OF mails SKIP LOCKED)
           UPDATE mails SET letter = after FROM held WHERE mails.id = held.id
        RETURNING before`,
    values: [
      replacements.map(({ id }) => id),
      replacements.map(({ before }) => before),
      replacements.map(({ after }) => after),
    ],
  });
  return rows.map(({ before }) => before);
}
