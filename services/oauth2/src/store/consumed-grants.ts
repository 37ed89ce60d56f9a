import type { Pool, PoolClient } from 'pg';

/** For this long, a replay of a consumed code or refresh token is detected. */
const REPLAY_PERIOD = "interval '90 days'";

/** SQL: the part of an exchange that stores the hashes of the `consumed` rows; empty unless `isOn`. */
export function rememberConsumed(isOn: boolean): string {
  if (!isOn) return '';
  return `, remembered AS (
        INSERT INTO consumed_grants (grant_hash, application_id, account_id, expires_at)
        SELECT spent_hash, application_id, account_id, now() + ${REPLAY_PERIOD} FROM consumed)`;
}

/** The account whose code or token an application has consumed. Undefined if it has consumed none with this hash. */
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
