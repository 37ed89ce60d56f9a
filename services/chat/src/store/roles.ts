import type { Pool, PoolClient } from 'pg';

/**
 * The roles among these that a mention notifies: those of the guild that are mentionable, or all of
 * the guild's; never @everyone.
 */
export async function mentionedRoles(
  db: Pool | PoolClient,
  guildId: string,
  roleIds: readonly string[],
  all: boolean,
): Promise<string[]> {
  if (roleIds.length === 0) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'mentioned_roles',
    text: `
      SELECT id FROM roles
      WHERE guild_id = $1 AND id <> $1 AND id = ANY($2::bigint[]) AND (mentionable OR $3::boolean)`,
    values: [guildId, roleIds, all],
  });
  const found = new Set(rows.map((row) => row.id));
  return roleIds.filter((id) => found.has(id));
}
