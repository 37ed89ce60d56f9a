import type { GuildRow } from '@gatehouse/chat-client/rows';
import type { Guild, Role } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';

/** Stores a new guild with its @everyone role, its owner as a member, and a text channel "general". */
export async function insertGuild(
  tx: PoolClient,
  { id, name, owner_id }: Guild,
  { name: roleName, permissions }: Role,
  channelId: string,
): Promise<void> {
  await tx.query({
    name: 'insert_guild',
    text: `
      WITH guild AS (INSERT INTO guilds (id, name, owner_id, member_count) VALUES ($1, $2, $3, 1)),
      role AS (INSERT INTO roles (id, guild_id, name, permissions) VALUES ($1, $1, $4, $5)),
      member AS (INSERT INTO members (guild_id, account_id) VALUES ($1, $3))
      INSERT INTO channels (id, guild_id, type, name) VALUES ($6, $1, 0, 'general')`,
    values: [id, name, owner_id, roleName, permissions, channelId],
  });
}

/** The columns of a Guild. */
export const GUILD_COLUMNS = `id, name, icon, owner_id, features, member_count,
  (SELECT jsonb_agg(jsonb_build_object('id', id::text, 'name', name, 'color', color,
      'position', position, 'hoist', hoist, 'mentionable', mentionable,
      'permissions', permissions::text) ORDER BY position, id)
    FROM roles WHERE guild_id = guilds.id) AS roles`;

/** The guild as members see it. */
export async function findGuild(db: Pool | PoolClient, guildId: string): Promise<Guild | undefined> {
  const { rows } = await db.query<Guild>({
    name: 'find_guild',
    text: `SELECT ${GUILD_COLUMNS} FROM guilds WHERE id = $1`,
    values: [guildId],
  });
  return rows[0];
}

/** Stores the settings that members can change. */
export async function updateGuildFields(
  tx: PoolClient,
  { id, name, icon, owner_id }: Pick<GuildRow, 'id' | 'name' | 'icon' | 'owner_id'>,
): Promise<void> {
  await tx.query({
    name: 'update_guild',
    text: 'UPDATE guilds SET name = $2, icon = $3, owner_id = $4 WHERE id = $1',
    values: [id, name, icon, owner_id],
  });
}

/** Deletes a guild with all its rows. Its channels' webhooks and messages are deleted later. */
export async function deleteGuildRow(tx: PoolClient, guildId: string): Promise<void> {
  await tx.query({
    name: 'delete_guild',
    text: `
      WITH ended AS (
        INSERT INTO ended_channels (channel_id) SELECT id FROM channels WHERE guild_id = $1
      )
      DELETE FROM guilds WHERE id = $1`,
    values: [guildId],
  });
}
