import type { Pool } from 'pg';

/** A change of an account's suspension. */
export interface Suspension {
  readonly account_id: string;
  readonly suspended: boolean;
  /** Grows with each change of the account. */
  readonly version: number;
}

/** Stores whether an account is suspended, unless a change with the same or a higher version is stored already. */
export async function setSuspended(db: Pool, { account_id, suspended, version }: Suspension): Promise<void> {
  await db.query({
    name: 'set_suspended',
    text: `INSERT INTO suspended_accounts (account_id, suspended, version) VALUES ($1, $2, $3)
               ON CONFLICT (account_id) DO UPDATE
              SET suspended = excluded.suspended, version = excluded.version
            WHERE suspended_accounts.version < excluded.version`,
    values: [account_id, suspended, version],
  });
}
