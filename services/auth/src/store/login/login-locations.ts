import type { PoolClient } from 'pg';

/** Maximum networks per account. A new one replaces the least recently used. */
const MAX_LOCATIONS = 100;

/** Whether a network is known to an account. `first`: the account had no known network. */
export type Location = 'known' | 'new' | 'first';

/**
 * Remembers that an account is used from a network (`networkOf`), in a transaction that has locked the account
 * (`lockAccount`). Returns whether the network was known before.
 */
export async function rememberLocation(
  tx: PoolClient,
  account_id: string,
  network: string,
): Promise<Location> {
  if (await touchLocation(tx, account_id, network)) return 'known';
  const { rows } = await tx.query<{ others: boolean }>({
    name: 'add_location',
    text: `WITH forgotten AS (
             DELETE FROM login_locations WHERE account_id = $1 AND network IN (
               SELECT network FROM login_locations WHERE account_id = $1
                ORDER BY last_login_at DESC, network OFFSET ${MAX_LOCATIONS - 1}))
           INSERT INTO login_locations (account_id, network) VALUES ($1, $2)
           RETURNING EXISTS (SELECT FROM login_locations WHERE account_id = $1) AS others`,
    values: [account_id, network],
  });
  return rows[0]?.others === true ? 'new' : 'first';
}

async function touchLocation(tx: PoolClient, account_id: string, network: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'touch_location',
    text: 'UPDATE login_locations SET last_login_at = now() WHERE account_id = $1 AND network = $2',
    values: [account_id, network],
  });
  return rowCount === 1;
}

/** Whether the account was used from other networks only. False if it has no known network. */
export async function isNewLocation(tx: PoolClient, account_id: string, network: string): Promise<boolean> {
  const { rows } = await tx.query<{ is_new: boolean }>({
    name: 'is_new_location',
    text: `SELECT EXISTS (SELECT FROM login_locations WHERE account_id = $1)
              AND NOT EXISTS (SELECT FROM login_locations WHERE account_id = $1 AND network = $2) AS is_new`,
    values: [account_id, network],
  });
  return rows[0]?.is_new ?? true;
}
