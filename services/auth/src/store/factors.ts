import type { PoolClient } from 'pg';

/**
 * Holds an account's factors until the transaction ends. Whoever adds or removes one takes this first, so
 * that two who remove the last two see each other. It is stronger than `lockAccount`: a transaction takes
 * one of them, not both.
 */
export async function lockFactors(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'lock_factors',
    text: 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [account_id],
  });
}

/** Whether the account has a second factor, as of now. */
export async function hasFactor(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rows } = await tx.query<{ has: boolean }>({
    name: 'has_factor',
    text: `SELECT EXISTS (SELECT FROM totp_factors WHERE account_id = $1)
               OR EXISTS (SELECT FROM webauthn_credentials WHERE account_id = $1) AS has`,
    values: [account_id],
  });
  return rows[0]?.has === true;
}
