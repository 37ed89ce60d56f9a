import type { PoolClient } from 'pg';

/** Longer than any consent. */
const REVOCATION_PERIOD = "interval '1 minute'";

/**
 * Records that a user's authorizations of some applications were revoked, in the transaction that locked and deleted
 * them.
 */
export async function recordRevocation(
  tx: PoolClient,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'record_revocation',
    // In the order of the keys, the common lock order.
    text: `INSERT INTO grant_revocations (account_id, application_id, revoked_at, expires_at)
           SELECT $1, application_id, clock_timestamp(), clock_timestamp() + ${REVOCATION_PERIOD}
             FROM (SELECT DISTINCT unnest($2::bigint[]) AS application_id ORDER BY 1) AS ids
               ON CONFLICT (account_id, application_id) DO UPDATE
              SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at`,
    values: [account_id, application_ids],
  });
}

/**
 * SQL: whether the authorization was revoked within this many milliseconds. It uses the database's clock, because the
 * clocks of replicas differ.
 */
export function revokedWithin(account_id: string, application_id: string, elapsed_ms: string): string {
  return `EXISTS (
    SELECT FROM grant_revocations AS revocation
     WHERE revocation.account_id = ${account_id} AND revocation.application_id = ${application_id}
       AND revoked_at >= statement_timestamp() - ${elapsed_ms} * interval '1 millisecond')`;
}
