import type { PoolClient } from 'pg';

/**
 * Locks an account's second factors until the transaction ends. Every transaction that adds or removes one takes this
 * lock first, so that two that remove the last two factors see each other. It is the lock that `lockAccount` takes.
 */
export async function lockFactors(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'lock_factors',
    text: 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [account_id],
  });
}

/** Whether the account has a second factor. */
export async function hasFactor(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rows } = await tx.query<{ has: boolean }>({
    name: 'has_factor',
    text: `SELECT EXISTS (SELECT FROM totp_factors WHERE account_id = $1)
               OR EXISTS (SELECT FROM webauthn_credentials WHERE account_id = $1) AS has`,
    values: [account_id],
  });
  return rows[0]?.has === true;
}
