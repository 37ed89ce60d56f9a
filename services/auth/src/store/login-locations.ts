import type { Pool, PoolClient } from 'pg';

/** Remembers that an account is used from a network (`networkOf`). */
export async function rememberLocation(
  tx: Pool | PoolClient,
  account_id: string,
  network: string,
): Promise<void> {
  await tx.query({
    name: 'remember_location',
    text: `INSERT INTO login_locations (account_id, network) VALUES ($1, $2)
           ON CONFLICT (account_id, network) DO UPDATE SET last_login_at = now()`,
    values: [account_id, network],
  });
}

/** Whether the account is used from other networks only; without any, there is nothing to compare. */
export async function isNewLocation(tx: PoolClient, account_id: string, network: string): Promise<boolean> {
  const { rows } = await tx.query<{ is_new: boolean }>({
    name: 'is_new_location',
    text: `SELECT EXISTS (SELECT FROM login_locations WHERE account_id = $1)
              AND NOT EXISTS (SELECT FROM login_locations WHERE account_id = $1 AND network = $2) AS is_new`,
    values: [account_id, network],
  });
  return rows[0]?.is_new ?? true;
}
