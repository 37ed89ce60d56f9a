import type { PoolClient } from 'pg';

/** Of an account, those used last stay known. */
const KEPT_LOCATIONS = 100;

/** What a network is to an account; `first`: nothing was known to compare it with. */
export type Location = 'known' | 'new' | 'first';

/**
 * Remembers that an account is used from a network (`networkOf`), in a transaction that holds the account
 * (`lockAccount`); says what the network was before. The one that was not used for longest makes room.
 */
export async function rememberLocation(
  tx: PoolClient,
  account_id: string,
  network: string,
): Promise<Location> {
  if (await touchLocation(tx, account_id, network)) return 'known';
  // One after the other for each account: the next one then sees them all.
  await tx.query({
    name: 'lock_locations',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('login_locations ' || $1, 0))`,
    values: [account_id],
  });
  if (await touchLocation(tx, account_id, network)) return 'known'; // somebody was faster
  const { rows } = await tx.query<{ others: boolean }>({
    name: 'add_location',
    text: `WITH forgotten AS (
             DELETE FROM login_locations WHERE account_id = $1 AND network IN (
               SELECT network FROM login_locations WHERE account_id = $1
                ORDER BY last_login_at DESC, network OFFSET ${KEPT_LOCATIONS - 1}))
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
