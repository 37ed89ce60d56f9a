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
  readonly secret_mac: Buffer;
  readonly step: number;
}

/** Marks a step as used; false when it was, so that of any number of simultaneous ones a single one is told yes. */
export async function useTotpStep(tx: PoolClient, used: TotpStep): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_totp_step',
    text: `WITH factor AS (
             SELECT account_id FROM totp_factors WHERE account_id = $1 AND secret = $2 FOR SHARE
           )
           INSERT INTO totp_used_steps (account_id, secret_mac, step)
           SELECT account_id, $3::bytea, $4::bigint FROM factor
           ON CONFLICT DO NOTHING`,
    values: [used.account_id, used.secret, used.secret_mac, used.step],
  });
  return rowCount === 1;
}

/** Turns time-based codes on; false where they are on already. */
export async function insertTotpFactor(tx: PoolClient, account_id: string, secret: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_totp_factor',
    text: `INSERT INTO totp_factors (account_id, secret) VALUES ($1, $2)
           ON CONFLICT (account_id) DO NOTHING`,
    values: [account_id, secret],
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
