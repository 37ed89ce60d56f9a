import type { PoolClient } from 'pg';

export interface StoredBackupCode {
  /** Sealed. */
  readonly code: Buffer;
  readonly consumed: boolean;
}

/** In the order in which they were first shown. */
export async function findBackupCodes(tx: PoolClient, account_id: string): Promise<StoredBackupCode[]> {
  const { rows } = await tx.query<StoredBackupCode>({
    name: 'find_backup_codes',
    text: `SELECT code, consumed_at IS NOT NULL AS consumed
             FROM backup_codes WHERE account_id = $1 ORDER BY position`,
    values: [account_id],
  });
  return rows;
}

/** Whether there is one that was not used. */
export async function hasBackupCode(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'has_backup_code',
    text: 'SELECT FROM backup_codes WHERE account_id = $1 AND consumed_at IS NULL LIMIT 1',
    values: [account_id],
  });
  return rowCount === 1;
}

/** Uses up the code with one of these MACs; false when there is none, or it was used. */
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
  /** Sealed. */
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

/** Deletes the codes of an account that has no factor left, in a transaction that holds its factors. */
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
