import type { Pool, PoolClient } from 'pg';

/** How long a replay is known. */
const REMEMBERED = "interval '90 days'";

/** SQL: the step of an exchange that remembers what it `consumed`; none unless `isOn`. */
export function rememberConsumed(isOn: boolean): string {
  if (!isOn) return '';
  return `, remembered AS (
        INSERT INTO consumed_grants (grant_hash, application_id, account_id, expires_at)
        SELECT spent_hash, application_id, account_id, now() + ${REMEMBERED} FROM consumed)`;
}

/** The account that granted what an application has consumed; undefined: it has consumed no such code or token. */
export async function findConsumed(
  db: Pool | PoolClient,
  application_id: string,
  grant_hash: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find_consumed_grant',
    text: `SELECT account_id FROM consumed_grants
            WHERE grant_hash = decode($2, 'hex') AND application_id = $1 AND expires_at > now()`,
    values: [application_id, grant_hash],
  });
  return rows[0]?.account_id;
}
