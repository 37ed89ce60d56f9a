import type { PoolClient } from 'pg';

/** Per address and day. Somebody else may have entered it, so it must not be flooded. */
const MAX_A_DAY = 5;

/** Mails that whoever enters an address can cause: those that verify it, and those that tell of its change. */
type UnverifiedMail = 'verification' | 'change';

/**
 * Counts a mail to an address that is not verified. Returns false if it has had as many of its kind as it may. Concurrent
 * transactions for the same address wait for each other.
 */
export async function countUnverifiedMail(
  tx: PoolClient,
  email_key: string,
  kind: UnverifiedMail = 'verification',
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'count_unverified_mail',
    text: `INSERT INTO verification_mails AS kept (address_hash, mailed_at, expires_at)
           VALUES (sha256(convert_to($1, 'UTF8')), ARRAY[clock_timestamp()], clock_timestamp() + interval '1 day')
           ON CONFLICT (address_hash) DO UPDATE
             SET mailed_at = ARRAY(SELECT at FROM unnest(kept.mailed_at) AS at
                                    WHERE at > clock_timestamp() - interval '1 day' ORDER BY at) || excluded.mailed_at,
                 expires_at = excluded.expires_at
           WHERE (SELECT count(*) FROM unnest(kept.mailed_at) AS at
                   WHERE at > clock_timestamp() - interval '1 day') < ${MAX_A_DAY}`,
    values: [counted(kind, email_key)],
  });
  return rowCount === 1;
}

/** Forgets the mails to an address once it is verified: its owner wants them. */
export async function forgetVerificationMails(tx: PoolClient, email_key: string): Promise<void> {
  await tx.query({
    name: 'forget_verification_mails',
    text: `DELETE FROM verification_mails
            WHERE address_hash IN (sha256(convert_to($1, 'UTF8')), sha256(convert_to($2, 'UTF8')))`,
    values: [counted('verification', email_key), counted('change', email_key)],
  });
}

/** No address has a blank in it. */
function counted(kind: UnverifiedMail, email_key: string): string {
  return kind === 'verification' ? email_key : `${kind} ${email_key}`;
}
