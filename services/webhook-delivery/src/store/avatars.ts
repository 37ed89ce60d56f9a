import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';

/** A picture that was stored here before media had them. */
export interface OldAvatar {
  readonly hash: string;
  readonly bytes: Buffer;
}

/**
 * Hands the picture after `after` over and removes it, or leaves it when that throws. Pictures that another replica
 * is handing over are passed by.
 *
 * @returns its hash; undefined: there is none
 */
export function moveOldAvatar(
  db: Pool,
  after: string,
  move: (avatar: OldAvatar) => Promise<void>,
): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ hash: string; base64: string }>({
      name: 'find_old_avatar',
      text: `SELECT hash, encode(bytes, 'base64') AS base64 FROM avatars
              WHERE hash > $1 ORDER BY hash LIMIT 1 FOR UPDATE SKIP LOCKED`,
      values: [after],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    await move({ hash: row.hash, bytes: Buffer.from(row.base64, 'base64') });
    await tx.query({
      name: 'delete_old_avatar',
      text: 'DELETE FROM avatars WHERE hash = $1',
      values: [row.hash],
    });
    return row.hash;
  });
}

/** Of these pictures those that a webhook has. */
export async function findWornAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ avatar: string }>({
    name: 'find_worn_avatars',
    text: 'SELECT DISTINCT avatar FROM webhooks WHERE avatar = ANY ($1::text[])',
    values: [hashes],
  });
  return rows.map(({ avatar }) => avatar);
}
