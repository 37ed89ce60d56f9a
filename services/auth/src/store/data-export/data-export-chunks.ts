import type { Pool, PoolClient } from 'pg';

export async function insertDataExportChunk(
  tx: PoolClient,
  account_id: string,
  position: number,
  bytes: Uint8Array,
): Promise<void> {
  await tx.query({
    name: 'insert_data_export_chunk',
    text: 'INSERT INTO data_export_chunks (account_id, position, bytes) VALUES ($1, $2, $3)',
    values: [account_id, position, bytes],
  });
}

/** Deletes the chunks of an earlier export, or of an attempt that was not finished. */
export async function deleteDataExportChunks(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'delete_data_export_chunks',
    text: 'DELETE FROM data_export_chunks WHERE account_id = $1',
    values: [account_id],
  });
}

/** A chunk of an archive that is ready. Undefined past its end, and without an archive. */
export async function findDataExportChunk(
  db: Pool,
  account_id: string,
  position: number,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Buffer }>({
    name: 'find_data_export_chunk',
    text: `SELECT bytes FROM data_export_chunks JOIN data_exports USING (account_id)
            WHERE account_id = $1 AND position = $2 AND status = 'ready' AND expires_at > now()`,
    values: [account_id, position],
  });
  return rows[0]?.bytes;
}
