import type { ClientBase } from 'pg';

export interface NewAvatar {
  /** 32 hex digits of the bytes' digest, behind "a_" when animated. */
  readonly hash: string;
  readonly content_type: string;
  readonly bytes: Buffer;
}

/** Keeps a picture, once. */
export async function insertAvatar(tx: ClientBase, { hash, content_type, bytes }: NewAvatar): Promise<void> {
  await tx.query({
    name: 'insert_avatar',
    text: `INSERT INTO avatars (hash, content_type, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [hash, content_type, bytes],
  });
}
