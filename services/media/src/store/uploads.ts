import type { Pool, PoolClient } from 'pg';

/** An image that was decoded to its end, without anything but the picture. */
export interface Picture {
  /** 32 hex digits of the bytes' digest, behind "a_" when animated. */
  readonly hash: string;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/**
 * Stores a picture, once by its hash, and a note that holds it for a day; gives the note's ID. That the row is
 * written even where it is there keeps the retention job from removing it at the same moment.
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
  if (row === undefined) throw new Error('an insert gave no row');
  return row.id;
}

/**
 * Ends an upload, if it is there; what only it held is removed soon. It locks its picture too, so whoever ends several
 * does that one after the other, each for itself.
 */
export async function deleteUpload(db: Pool | PoolClient, id: string): Promise<void> {
  await db.query({ name: 'delete_upload', text: 'DELETE FROM uploads WHERE id = $1', values: [id] });
}
