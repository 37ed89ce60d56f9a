import type { Pool } from 'pg';

/** Of these pictures those that a webhook has. */
export async function findWornAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ avatar: string }>({
    name: 'find_worn_avatars',
    text: 'SELECT DISTINCT avatar FROM webhooks WHERE avatar = ANY ($1::text[])',
    values: [hashes],
  });
  return rows.map(({ avatar }) => avatar);
}
