import type { PoolClient } from 'pg';

/** The account's secret, sealed. */
export async function findTotpSecret(tx: PoolClient, account_id: string): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ secret: Buffer }>({
    name: 'find_totp_secret',
    text: 'SELECT secret FROM totp_factors WHERE account_id = $1',
    values: [account_id],
  });
  return rows[0]?.secret;
}

/** A step whose code was offered. */
export interface TotpStep {
  readonly account_id: string;
  /** The sealed secret that the code was checked against: another one may have taken its place. */
  readonly secret: Buffer;
  readonly step: number;
  /** Steps before this one can be forgotten: nobody accepts them any more. */
  readonly oldest: number;
}

/**
 * Marks a step as used; false when it was. The one statement locks the row and judges what the one before
 * it left there, so of any number of simultaneous ones a single one is told yes.
 */
export async function useTotpStep(tx: PoolClient, used: TotpStep): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_totp_step',
    text: `UPDATE totp_factors
              SET used_steps = ARRAY (SELECT step FROM unnest(used_steps) AS step WHERE step >= $4) || $3::bigint
            WHERE account_id = $1 AND secret = $2 AND $3::bigint <> ALL (used_steps)`,
    values: [used.account_id, used.secret, used.step, used.oldest],
  });
  return rowCount === 1;
}

/** Turns time-based codes on, the step that proved them used up; false where they are on already. */
export async function insertTotpFactor(
  tx: PoolClient,
  factor: { readonly account_id: string; readonly secret: Buffer; readonly used_step: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_totp_factor',
    text: `INSERT INTO totp_factors (account_id, secret, used_steps) VALUES ($1, $2, ARRAY[$3::bigint])
           ON CONFLICT (account_id) DO NOTHING`,
    values: [factor.account_id, factor.secret, factor.used_step],
  });
  return rowCount === 1;
}

export async function deleteTotpFactor(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'delete_totp_factor',
    text: 'DELETE FROM totp_factors WHERE account_id = $1',
    values: [account_id],
  });
}
