import type { Pool, PoolClient } from 'pg';
import type { EncryptedValue, Replacement } from './encrypted-value.ts';

/**
 * Holds an account's secret alone until the transaction ends, which may remove it; false where there is none. Before a
 * code is used: who uses the same one elsewhere waits for its mark, and must not hold the secret meanwhile.
 */
export async function lockTotpSecret(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_totp_secret',
    text: 'SELECT FROM totp_factors WHERE account_id = $1 FOR UPDATE',
    values: [account_id],
  });
  return rowCount === 1;
}

/**
 * The account's secret, sealed; until the transaction ends nobody removes it or encryption it anew. The account comes first, as
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

/** The secrets of the accounts that follow. */
export async function pageTotpSecrets(db: Pool, after: string, limit: number): Promise<EncryptedValue[]> {
  const { rows } = await db.query<EncryptedValue>({
    name: 'page_totp_secrets',
    text: `SELECT account_id AS id, secret AS encrypted
             FROM totp_factors WHERE account_id > $1 ORDER BY account_id LIMIT $2`,
    values: [after, limit],
  });
  return rows;
}

/**
 * Replaces secrets that are still what they were; gives those that were replaced. What somebody holds, or
 * whose account somebody deletes, is passed over: nobody is waited for.
 */
export async function replaceTotpSecrets(
  tx: PoolClient,
  replacements: readonly Replacement[],
): Promise<Buffer[]> {
  const { rows } = await tx.query<{ before: Buffer }>({
    name: 'replace_totp_secrets',
    text: `WITH held AS MATERIALIZED (
             SELECT account_id, before, after
               FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS new (id, before, after)
               JOIN totp_factors ON account_id = new.id AND secret = before
               JOIN accounts ON accounts.id = account_id
                FOR KEY SHARE OF accounts SKIP LOCKED FOR NO KEY UPDATE OF totp_factors SKIP LOCKED)
           UPDATE totp_factors SET secret = after
             FROM held WHERE totp_factors.account_id = held.account_id
        RETURNING before`,
    values: [
      replacements.map(({ id }) => id),
      replacements.map(({ before }) => before),
      replacements.map(({ after }) => after),
    ],
  });
  return rows.map(({ before }) => before);
}

/** A secret's MAC under an older key, and what it is under the newest. */
export interface RenewedMac {
  readonly account_id: string;
  readonly older: Buffer;
  readonly newest: Buffer;
}

/** Marks the used steps under the newest key too, in a transaction that holds the secrets. */
export async function remarkUsedSteps(tx: PoolClient, macs: readonly RenewedMac[]): Promise<void> {
  await tx.query({
    name: 'remark_used_steps',
    text: `INSERT INTO totp_used_steps (account_id, secret_mac, step, expires_at)
           SELECT account_id, newest, step, expires_at
             FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS renewed (id, older, newest)
             JOIN totp_used_steps ON account_id = id AND secret_mac = older
           ON CONFLICT DO NOTHING`,
    values: [
      macs.map(({ account_id }) => account_id),
      macs.map(({ older }) => older),
      macs.map(({ newest }) => newest),
    ],
  });
}
