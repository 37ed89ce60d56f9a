import type { Role } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';

/** Makes a role above all others of a guild that is locked; undefined when the guild has as many as it may. */
export async function insertTopRole(
  tx: PoolClient,
  guildId: string,
  { id, name, color, permissions }: Pick<Role, 'id' | 'name' | 'color' | 'permissions'>,
  maxRoles: number,
): Promise<Role | undefined> {
  const { rows } = await tx.query<Role>({
    name: 'insert_top_role',
    text: `
      INSERT INTO roles (id, guild_id, name, color, permissions, position)
      SELECT $2, $1, $3, $4, $5, max(position) + 1 FROM roles WHERE guild_id = $1 HAVING count(*) < $6
      RETURNING id, name, color, position, hoist, mentionable, permissions::text AS permissions`,
    values: [guildId, id, name, color, permissions, maxRoles],
  });
  return rows[0];
}
