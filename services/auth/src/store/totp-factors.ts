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

/**
 * The same, and until the transaction ends nobody removes it or seals it anew. The account comes first, as
 * in every transaction: a mark of a step refers to it.
 */
export async function holdTotpSecret(tx: PoolClient, account_id: string): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ secret: Buffer }>({
    name: 'hold_totp_secret',
    text: `SELECT secret FROM accounts JOIN totp_factors ON account_id = id WHERE id = $1
              FOR KEY SHARE OF accounts FOR SHARE OF totp_factors`,
    values: [account_id],
  });
  return rows[0]?.secret;
}

/** A step whose code was offered. */
export interface TotpStep {
  readonly account_id: string;
  /** Of the secret, under every key. */
  readonly secret_macs: readonly Buffer[];
  readonly step: number;
}

/**
 * Marks a step as used; false when it was, so that of any number of simultaneous ones a single one is told
 * yes. There is a mark for each key, and one that is there already is enough to refuse: replicas that have
 * a key in common agree, whichever of their keys is the newest. All make the marks in the same order, so
 * that nobody waits in a circle.
 */
export async function useTotpStep(
  tx: PoolClient,
  { account_id, secret_macs, step }: TotpStep,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'use_totp_step',
    text: `INSERT INTO totp_used_steps (account_id, secret_mac, step)
           SELECT $1, secret_mac, $3 FROM unnest($2::bytea[]) AS secret_mac ORDER BY secret_mac
           ON CONFLICT DO NOTHING`,
    values: [account_id, secret_macs, step],
  });
  return rowCount === secret_macs.length;
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
