import type { Pool } from 'pg';

/** The pictures among these that are the avatar of a webhook. */
export async function findWornAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ avatar: string }>({
    name: 'find_worn_avatars',
    text: 'SELECT DISTINCT avatar FROM webhooks WHERE avatar = ANY ($1::text[])',
    values: [hashes],
  });
  return rows.map(({ avatar }) => avatar);
}
