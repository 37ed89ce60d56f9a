import type { HeldRole } from '@gatehouse/chat-client/permissions';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

export interface NamedRole extends HeldRole {
  readonly name: string;
}

/** Selects the roles that belong to the guild, by ID. */
export async function findRolesById(
  tx: PoolClient,
  guildId: string,
  roleIds: readonly string[],
): Promise<NamedRole[]> {
  const { rows } = await tx.query<NamedRole>({
    name: 'find_roles_by_id',
    text: `
      SELECT id, name, position, permissions FROM roles
      WHERE guild_id = $1 AND id = ANY($2::bigint[])
      ORDER BY id`,
    values: [guildId, roleIds.filter(isSnowflake)],
  });
  return rows;
}

export async function insertMemberRoles(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'insert_member_roles',
    text: 'INSERT INTO member_roles (guild_id, account_id, role_id) SELECT $1, $2, unnest($3::bigint[])',
    values: [guildId, accountId, roleIds],
  });
}

export async function deleteMemberRoles(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete_member_roles',
    text: 'DELETE FROM member_roles WHERE guild_id = $1 AND account_id = $2 AND role_id = ANY($3::bigint[])',
    values: [guildId, accountId, roleIds],
  });
}
