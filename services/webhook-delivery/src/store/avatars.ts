import type { Picture } from '@gatehouse/kit/picture/read';
import type { ClientBase, Pool } from 'pg';

/** Keeps a picture, once. */
export async function insertAvatar(tx: ClientBase, { hash, content_type, bytes }: Picture): Promise<void> {
  await tx.query({
    name: 'insert_avatar',
    text: `INSERT INTO avatars (hash, content_type, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [hash, content_type, bytes],
  });
}

/** A picture by its hash. */
export async function findAvatar(
  db: Pool,
  hash: string,
): Promise<Pick<Picture, 'content_type' | 'bytes'> | undefined> {
  const { rows } = await db.query<{ content_type: string; base64: string }>({
    name: 'find_avatar',
    // Base64 is a third shorter than what the driver reads bytea from, and decoded far faster.
    text: `SELECT content_type, encode(bytes, 'base64') AS base64 FROM avatars WHERE hash = $1`,
    values: [hash],
  });
  const [row] = rows;
  return row && { content_type: row.content_type, bytes: Buffer.from(row.base64, 'base64') };
}
