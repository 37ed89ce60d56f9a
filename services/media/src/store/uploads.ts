import type { Pool, PoolClient } from 'pg';

/** A decoded picture, without any other data of its image. */
export interface Picture {
  /** 32 hex digits of the content's digest, after "a_" if it is animated. */
  readonly hash: string;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/**
 * Stores a picture, once per hash, and an upload that keeps it for a day. Returns the ID of the upload. Updates
 * an existing row too, so that the retention job does not delete it at the same moment.
 */
export async function insertUpload(tx: PoolClient, { hash, content_type, bytes }: Picture): Promise<string> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'insert_upload',
    text: `WITH picture AS (
             INSERT INTO pictures (hash, content_type, bytes) VALUES ($1, $2, $3)
             ON CONFLICT (hash) DO UPDATE SET unreferenced_since = NULL
             RETURNING hash)
           INSERT INTO uploads (hash) SELECT hash FROM picture RETURNING id`,
    values: [hash, content_type, bytes],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the insert returned no row');
  return row.id;
}

/**
 * Deletes an upload if it exists. The retention job then deletes a picture that nothing else references. This locks the
 * picture too, so delete several uploads one by one, each in its own transaction.
 */
export async function deleteUpload(db: Pool | PoolClient, id: string): Promise<void> {
  await db.query({ name: 'delete_upload', text: 'DELETE FROM uploads WHERE id = $1', values: [id] });
}
