import type { PoolClient } from 'pg';

/** Per address and kind. The address may belong to somebody else, who must not be flooded. */
const MAX_A_DAY = 5;

/** A mail to count. */
export interface CountedMail {
  /** The address in lower case. */
  readonly email_key: string;
  /** Its template. */
  readonly kind: string;
  /** Whether the address is verified. Mails to it are neither limited nor counted. */
  readonly verified: boolean;
}

/**
 * Counts a mail to an unverified address. Returns false over the limit of its kind. Concurrent transactions for one
 * address wait for each other. The statement is the same for every address, so its duration does not reveal whose it
 * is.
 */
export async function countUnverifiedMail(
  tx: PoolClient,
  { email_key, kind, verified }: CountedMail,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'count_unverified_mail',
    text: `INSERT INTO verification_mails AS kept (address_hash, mailed_at, expires_at)
           SELECT sha256(convert_to($1, 'UTF8')), ARRAY[clock_timestamp()], clock_timestamp() + interval '1 day'
            WHERE NOT $2::boolean
           ON CONFLICT (address_hash) DO UPDATE
             SET mailed_at = ARRAY(SELECT at FROM unnest(kept.mailed_at) AS at
                                    WHERE at > clock_timestamp() - interval '1 day' ORDER BY at) || excluded.mailed_at,
                 expires_at = excluded.expires_at
           WHERE (SELECT count(*) FROM unnest(kept.mailed_at) AS at
                   WHERE at > clock_timestamp() - interval '1 day') < ${MAX_A_DAY}`,
    values: [countKey(kind, email_key), verified],
  });
  return verified || rowCount === 1;
}

/** Deletes the counts of an address once it is verified: its owner wants the mails. */
export async function resetUnverifiedMailCounts(
  tx: PoolClient,
  email_key: string,
  kinds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'reset_unverified_mail_counts',
    text: `DELETE FROM verification_mails
            WHERE address_hash IN (SELECT sha256(convert_to(of_kind, 'UTF8')) FROM unnest($1::text[]) AS of_kind)`,
    values: [kinds.map((kind) => countKey(kind, email_key))],
  });
}

/** Unambiguous, because no address contains a blank. */
function countKey(kind: string, email_key: string): string {
  return `${kind} ${email_key}`;
}
