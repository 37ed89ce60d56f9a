import type { PoolClient } from 'pg';

/** Counts bytes against an owner's daily limit, and locks the row. Returns false, without a change, if over `max`. */
export async function addStoredBytes(
  tx: PoolClient,
  owner_id: string,
  bytes: number,
  max: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'add_stored_bytes',
    text: `INSERT INTO stored_bytes (owner_id, day, bytes) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)
           ON CONFLICT (owner_id, day) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes
             WHERE stored_bytes.bytes + excluded.bytes <= $3::bigint`,
    values: [owner_id, bytes, max],
  });
  return rowCount === 1;
}
