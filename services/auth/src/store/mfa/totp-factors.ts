import type { Pool, PoolClient } from 'pg';
import type { EncryptedValue, Replacement } from '../encryption/encrypted-value.ts';

/**
 * Locks an account's secret exclusively until the transaction ends. Returns false if there is none. To avoid a deadlock,
 * call it before the transaction uses a code: a concurrent use of the same code holds a share lock on the secret while it
 * waits for the mark of the step.
 */
export async function lockTotpSecretForDeletion(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_totp_secret_for_deletion',
    text: 'SELECT FROM totp_factors WHERE account_id = $1 FOR UPDATE',
    values: [account_id],
  });
  return rowCount === 1;
}

/**
 * Locks an account's encrypted secret against deletion and re-encryption until the transaction ends, and returns it. The
 * account's row is locked first, in the common lock order, because the mark of a step refers to it.
 */
export async function lockTotpSecretForUse(tx: PoolClient, account_id: string): Promise<Buffer | undefined> {
  const { rows } = await tx.query<{ secret: Buffer }>({
    name: 'lock_totp_secret_for_use',
    text: `SELECT secret FROM accounts JOIN totp_factors ON account_id = id WHERE id = $1
              FOR KEY SHARE OF accounts FOR SHARE OF totp_factors`,
    values: [account_id],
  });
  return rows[0]?.secret;
}

/** The 30-second step of a code. */
export interface TotpStep {
  readonly account_id: string;
  /** The MACs of the secret under every key. */
  readonly secret_macs: readonly Buffer[];
  readonly step: number;
}

/**
 * Marks a step as used. Returns false if it was used before; only one of several concurrent calls returns true. A step
 * is marked under each key and refused if one mark exists, so replicas with a common key agree, whichever key is their
 * newest. All calls insert the marks in the same order, which prevents deadlocks.
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

/** Enables TOTP. Returns false if it is enabled already. */
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

/** The secrets of the accounts after an ID. */
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
 * Replaces secrets that have not changed, and returns the old bytes of the replaced ones. Locked rows, and rows of
 * locked accounts, are skipped.
 */
export async function replaceTotpSecrets(
  tx: PoolClient,
  replacements: readonly Replacement[],
): Promise<Buffer[]> {
  const { rows } = await tx.query<{ before: Buffer }>({
    name: 'replace_totp_secrets',
    text: `WITH locked AS MATERIALIZED (
             SELECT account_id, before, after
               FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS new (id, before, after)
               JOIN totp_factors ON account_id = new.id AND secret = before
               JOIN accounts ON accounts.id = account_id
                FOR KEY SHARE OF accounts SKIP LOCKED FOR NO KEY UPDATE OF totp_factors SKIP LOCKED)
           UPDATE totp_factors SET secret = after
             FROM locked WHERE totp_factors.account_id = locked.account_id
        RETURNING before`,
    values: [
      replacements.map(({ id }) => id),
      replacements.map(({ before }) => before),
      replacements.map(({ after }) => after),
    ],
  });
  return rows.map(({ before }) => before);
}

/** The MACs of a secret under an older key and under the newest. */
export interface RenewedMac {
  readonly account_id: string;
  readonly older: Buffer;
  readonly newest: Buffer;
}

/** Marks the used steps under the newest key too, in a transaction that has locked the secrets. */
export async function markStepsUnderNewestKey(tx: PoolClient, macs: readonly RenewedMac[]): Promise<void> {
  await tx.query({
    name: 'mark_steps_under_newest_key',
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
