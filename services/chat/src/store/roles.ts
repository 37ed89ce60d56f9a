import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Role } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';

/** Selects the roles that a mention notifies: the guild's mentionable roles, or all of its roles; never @everyone. */
export async function findMentionedRoles(
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

/** The columns of a Role. */
const ROLE_COLUMNS = 'id, name, color, position, hoist, mentionable, permissions';

/** By position, then by ID. */
export async function findRoles(db: Pool | PoolClient, guildId: string): Promise<Role[]> {
  const { rows } = await db.query<Role>({
    name: 'find_roles',
    text: `SELECT ${ROLE_COLUMNS} FROM roles WHERE guild_id = $1 ORDER BY position, id`,
    values: [guildId],
  });
  return rows;
}

export async function findRole(tx: PoolClient, guildId: string, roleId: string): Promise<Role | undefined> {
  if (!isSnowflake(roleId)) return undefined;
  const { rows } = await tx.query<Role>({
    name: 'find_role',
    text: `SELECT ${ROLE_COLUMNS} FROM roles WHERE guild_id = $1 AND id = $2`,
    values: [guildId, roleId],
  });
  return rows[0];
}

export async function countRoles(tx: PoolClient, guildId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'count_roles',
    text: 'SELECT count(*)::integer AS count FROM roles WHERE guild_id = $1',
    values: [guildId],
  });
  return rows[0]?.count ?? 0;
}

/** Moves all roles from a position on up by one, except @everyone. Returns the moved ones by position, then by ID. */
export async function moveRolesUp(tx: PoolClient, guildId: string, position: number): Promise<Role[]> {
  const { rows } = await tx.query<Role>({
    name: 'move_roles_up',
    text: `
      WITH moved AS (
        UPDATE roles SET position = position + 1
        WHERE guild_id = $1 AND id <> $1 AND position >= $2
        RETURNING ${ROLE_COLUMNS}
      )
      SELECT * FROM moved ORDER BY position, id`,
    values: [guildId, position],
  });
  return rows;
}

export async function insertRole(tx: PoolClient, guildId: string, role: Role): Promise<void> {
  const { id, name, color, position, hoist, mentionable, permissions } = role;
  await tx.query({
    name: 'insert_role',
    text: `
      INSERT INTO roles (id, guild_id, name, color, position, hoist, mentionable, permissions)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, guildId, name, color, position, hoist, mentionable, permissions],
  });
}

/** Stores everything but the position. */
export async function updateRoleFields(tx: PoolClient, role: Role): Promise<void> {
  const { id, name, color, hoist, mentionable, permissions } = role;
  await tx.query({
    name: 'update_role',
    text: `
      UPDATE roles SET name = $2, color = $3, hoist = $4, mentionable = $5, permissions = $6 WHERE id = $1`,
    values: [id, name, color, hoist, mentionable, permissions],
  });
}

export async function setRolePositions(
  tx: PoolClient,
  positions: readonly { readonly id: string; readonly position: number }[],
): Promise<void> {
  await tx.query({
    name: 'update_role_positions',
    text: `
      UPDATE roles SET position = wanted.position
      FROM jsonb_to_recordset($1::jsonb) AS wanted(id bigint, position integer)
      WHERE roles.id = wanted.id`,
    values: [JSON.stringify(positions)],
  });
}

/** Deletes a role, with its assignments and overwrites. */
export async function deleteRoleRow(tx: PoolClient, guildId: string, roleId: string): Promise<void> {
  await tx.query({
    name: 'delete_role',
    text: `
      WITH overwrites AS (
        DELETE FROM permission_overwrites
        WHERE id = $2 AND type = 0 AND channel_id IN (SELECT id FROM channels WHERE guild_id = $1)
      )
      DELETE FROM roles WHERE guild_id = $1 AND id = $2`,
    values: [guildId, roleId],
  });
}
