import type { PoolClient } from 'pg';

/** Per address and day. Somebody else may have entered it, so it must not be flooded. */
const MAX_A_DAY = 5;

/**
 * Counts a mail to an address that is not verified. Returns false if it has had as many as it may. Concurrent
 * transactions for the same address wait for each other.
 */
export async function countVerificationMail(tx: PoolClient, email_key: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'count_verification_mail',
    text: `INSERT INTO verification_mails AS kept (address_hash, mailed_at, expires_at)
           VALUES (sha256(convert_to($1, 'UTF8')), ARRAY[clock_timestamp()], clock_timestamp() + interval '1 day')
           ON CONFLICT (address_hash) DO UPDATE
             SET mailed_at = ARRAY(SELECT at FROM unnest(kept.mailed_at) AS at
                                    WHERE at > clock_timestamp() - interval '1 day' ORDER BY at) || excluded.mailed_at,
                 expires_at = excluded.expires_at
           WHERE (SELECT count(*) FROM unnest(kept.mailed_at) AS at
                   WHERE at > clock_timestamp() - interval '1 day') < ${MAX_A_DAY}`,
    values: [email_key],
  });
  return rowCount === 1;
}

/** Forgets the mails to an address once it is verified: its owner wants them. */
export async function forgetVerificationMails(tx: PoolClient, email_key: string): Promise<void> {
  await tx.query({
    name: 'forget_verification_mails',
    text: `DELETE FROM verification_mails WHERE address_hash = sha256(convert_to($1, 'UTF8'))`,
    values: [email_key],
  });
}
