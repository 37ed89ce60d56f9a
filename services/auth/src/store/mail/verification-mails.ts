import type { PoolClient } from 'pg';

/** Per address, kind and day. Somebody else may have entered the address, so it must not be flooded. */
const MAX_A_DAY = 5;

/** A mail as it is counted. */
export interface CountedMail {
  /** The address in lower case. */
  readonly email_key: string;
  /** Its template. */
  readonly kind: string;
  /** Whether the address is known to be the account's. Mails to it are not limited, and not counted. */
  readonly verified: boolean;
}

/**
 * Counts a mail to an address that is not verified. Returns false if it has had as many of its kind as it may. Concurrent
 * transactions for the same address wait for each other. The statement is the same for every address: its duration must
 * not tell which one is whose.
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
    values: [counted(kind, email_key), verified],
  });
  return verified || rowCount === 1;
}

/** Forgets the mails to an address once it is verified: its owner wants them. */
export async function forgetUnverifiedMails(
  tx: PoolClient,
  email_key: string,
  kinds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'forget_unverified_mails',
    text: `DELETE FROM verification_mails
            WHERE address_hash IN (SELECT sha256(convert_to(of_kind, 'UTF8')) FROM unnest($1::text[]) AS of_kind)`,
    values: [kinds.map((kind) => counted(kind, email_key))],
  });
}

/** No address has a blank in it. */
function counted(kind: string, email_key: string): string {
  return `${kind} ${email_key}`;
}
