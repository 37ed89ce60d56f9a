import type { Pool, PoolClient } from 'pg';
import type { EncryptedValue, Replacement } from '../encryption/encrypted-value.ts';

export interface StoredBackupCode {
  /** Encrypted. */
  readonly code: Buffer;
  readonly consumed: boolean;
}

/** In order of creation. */
export async function findBackupCodes(tx: PoolClient, account_id: string): Promise<StoredBackupCode[]> {
  const { rows } = await tx.query<StoredBackupCode>({
    name: 'find_backup_codes',
    text: `SELECT code, consumed_at IS NOT NULL AS consumed
             FROM backup_codes WHERE account_id = $1 ORDER BY position`,
    values: [account_id],
  });
  return rows;
}

/** Whether the account has an unused code. */
export async function hasBackupCode(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'has_backup_code',
    text: 'SELECT FROM backup_codes WHERE account_id = $1 AND consumed_at IS NULL LIMIT 1',
    values: [account_id],
  });
  return rowCount === 1;
}

/** Uses up the code with one of these MACs. Returns false if there is none, or it was used before. */
export async function consumeBackupCode(
  tx: PoolClient,
  account_id: string,
  macs: readonly Buffer[],
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'consume_backup_code',
    text: `UPDATE backup_codes SET consumed_at = now()
            WHERE account_id = $1 AND code_mac = ANY ($2::bytea[]) AND consumed_at IS NULL`,
    values: [account_id, macs],
  });
  return rowCount === 1;
}

export interface NewBackupCode {
  readonly code_mac: Buffer;
  /** Encrypted. */
  readonly code: Buffer;
}

export async function insertBackupCodes(
  tx: PoolClient,
  account_id: string,
  codes: readonly NewBackupCode[],
): Promise<void> {
  await tx.query({
    name: 'insert_backup_codes',
    text: `INSERT INTO backup_codes (account_id, code_mac, code, position)
           SELECT $1, code_mac, code, position
             FROM unnest($2::bytea[], $3::bytea[]) WITH ORDINALITY AS new (code_mac, code, position)`,
    values: [account_id, codes.map(({ code_mac }) => code_mac), codes.map(({ code }) => code)],
  });
}

export async function deleteBackupCodes(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'delete_backup_codes',
    text: 'DELETE FROM backup_codes WHERE account_id = $1',
    values: [account_id],
  });
}

/** Deletes the codes of an account without second factors, in a transaction that has locked its factors. */
export async function deleteOrphanedBackupCodes(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'delete_orphaned_backup_codes',
    text: `DELETE FROM backup_codes
            WHERE account_id = $1
              AND NOT EXISTS (SELECT FROM totp_factors WHERE account_id = $1)
              AND NOT EXISTS (SELECT FROM webauthn_credentials WHERE account_id = $1)`,
    values: [account_id],
  });
}

/** The codes of the accounts after an ID. An account's codes are never split, even if that exceeds the limit. */
export async function pageBackupCodes(db: Pool, after: string, limit: number): Promise<EncryptedValue[]> {
  const { rows } = await db.query<EncryptedValue>({
    name: 'page_backup_codes',
    text: `SELECT account_id AS id, code AS encrypted FROM backup_codes WHERE account_id > $1
            ORDER BY account_id FETCH FIRST $2 ROWS WITH TIES`,
    values: [after, limit],
  });
  return rows;
}

/** Replaces values that have not changed, and returns the old bytes of the replaced ones. Locked rows are skipped. */
export async function replaceEncryptedBackupCodes(
  db: Pool,
  replacements: readonly (Replacement & { readonly code_mac: Buffer })[],
): Promise<Buffer[]> {
  const { rows } = await db.query<{ before: Buffer }>({
    name: 'replace_encrypted_backup_codes',
    text: `WITH locked AS MATERIALIZED (
             SELECT account_id, code_mac, before, after, new_mac
               FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) AS new (id, before, after, new_mac)
               JOIN backup_codes ON account_id = id AND code = before
                FOR UPDATE OF backup_codes SKIP LOCKED)
           UPDATE backup_codes AS kept SET code = after, code_mac = new_mac
             FROM locked WHERE kept.account_id = locked.account_id AND kept.code_mac = locked.code_mac
        RETURNING before`,
    values: [
      replacements.map(({ id }) => id),
      replacements.map(({ before }) => before),
      replacements.map(({ after }) => after),
      replacements.map(({ code_mac }) => code_mac),
    ],
  });
  return rows.map(({ before }) => before);
}
