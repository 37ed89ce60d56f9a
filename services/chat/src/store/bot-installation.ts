import type { Role } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';

/** Lets a bot into a guild that is locked; false when it is in it. */
export async function insertBotMember(
  tx: PoolClient,
  guildId: string,
  botId: string,
  inviterId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_bot_member',
    text: `
      WITH member AS (
        INSERT INTO members (guild_id, account_id, inviter_id) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING
        RETURNING guild_id
      )
      UPDATE guilds SET member_count = member_count + 1 WHERE id IN (SELECT guild_id FROM member)`,
    values: [guildId, botId, inviterId],
  });
  return rowCount === 1;
}

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

/** Gives a role to a member who does not have it. */
export async function insertMemberRole(
  tx: PoolClient,
  guildId: string,
  accountId: string,
  roleId: string,
): Promise<void> {
  await tx.query({
    name: 'insert_bot_member_role',
    text: 'INSERT INTO member_roles (guild_id, account_id, role_id) VALUES ($1, $2, $3)',
    values: [guildId, accountId, roleId],
  });
}
