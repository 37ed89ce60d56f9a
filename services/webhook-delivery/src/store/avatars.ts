import type { Pool } from 'pg';

/** Returns the hashes that are avatars of webhooks. */
export async function findUsedAvatars(db: Pool, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ avatar: string }>({
    name: 'find_used_avatars',
    text: 'SELECT DISTINCT avatar FROM webhooks WHERE avatar = ANY ($1::text[])',
    values: [hashes],
  });
  return rows.map(({ avatar }) => avatar);
}
