import type { Pool } from 'pg';

/** Of these pictures those that a message of a webhook shows. */
export async function findNamedAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>({
    name: 'find_named_avatars',
    text: `SELECT hash FROM unnest($1::text[]) AS hash
            WHERE EXISTS (SELECT FROM messages WHERE webhook_avatar = hash)`,
    values: [hashes],
  });
  return rows.map(({ hash }) => hash);
}
