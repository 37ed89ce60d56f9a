import type { Pool } from 'pg';

/** Selects the hashes that stored webhook messages name as avatars. */
export async function findShownAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>({
    name: 'find_shown_avatars',
    text: `SELECT hash FROM unnest($1::text[]) AS hash
            WHERE EXISTS (SELECT FROM messages WHERE webhook_avatar = hash)`,
    values: [hashes],
  });
  return rows.map(({ hash }) => hash);
}
