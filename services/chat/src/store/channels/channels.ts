import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';

export const ChannelType = {
  GUILD_TEXT: 0,
  DM: 1,
  GUILD_VOICE: 2,
  GROUP_DM: 3,
  CATEGORY: 4,
} as const;

/** An overwrite as JSON. json_build_object takes twice as long. */
const OVERWRITE_JSON = `'{"id":"' || id || '","type":' || type || ',"allow":"' || allow || '","deny":"' || deny || '"}'`;

/** The columns of a ChannelRow. */
export const CHANNEL_COLUMNS = `channels.id, channels.guild_id, channels.type, channels.name, channels.topic,
  channels.position, channels.parent_id, channels.rate_limit_per_user, channels.owner_id, channels.recipient_ids,
  (SELECT max(id) FROM messages WHERE channel_id = channels.id) AS last_message_id,
  ('[' || array_to_string(ARRAY(
    SELECT ${OVERWRITE_JSON} FROM permission_overwrites WHERE channel_id = channels.id ORDER BY id
  ), ',') || ']')::json AS permission_overwrites`;

export async function findChannel(db: Pool | PoolClient, channelId: string): Promise<ChannelRow | undefined> {
  if (!isSnowflake(channelId)) return undefined;
  const { rows } = await db.query<ChannelRow>({
    name: 'find_channel',
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE id = $1`,
    values: [channelId],
  });
  return rows[0];
}

/** By position, then by ID. */
export async function findChannels(db: Pool | PoolClient, guildId: string): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>({
    name: 'find_channels',
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE guild_id = $1 ORDER BY position, channels.id`,
    values: [guildId],
  });
  return rows;
}

/** The number of the guild's channels, and their highest position; -1 without channels. */
export async function countChannels(
  tx: PoolClient,
  guildId: string,
): Promise<{ readonly count: number; readonly last_position: number }> {
  const { rows } = await tx.query<{ count: number; last_position: number }>({
    name: 'count_channels',
    text: `
      SELECT count(*)::integer AS count, COALESCE(max(position), -1) AS last_position
      FROM channels WHERE guild_id = $1`,
    values: [guildId],
  });
  return rows[0] ?? { count: 0, last_position: -1 };
}

/** The settings in a channel's own row. */
type ChannelFields = Pick<ChannelRow, 'name' | 'topic' | 'position' | 'parent_id' | 'rate_limit_per_user'>;

/** Stores a new guild channel without its overwrites. */
export async function insertChannel(
  tx: PoolClient,
  guildId: string,
  channel: ChannelFields & Pick<ChannelRow, 'id' | 'type'>,
): Promise<void> {
  const { id, type, name, topic, position, parent_id, rate_limit_per_user } = channel;
  await tx.query({
    name: 'insert_channel',
    text: `
      INSERT INTO channels (id, guild_id, type, name, topic, position, parent_id, rate_limit_per_user)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, guildId, type, name, topic, position, parent_id, rate_limit_per_user],
  });
}

export async function updateChannelFields(
  tx: PoolClient,
  channelId: string,
  { name, topic, position, parent_id, rate_limit_per_user }: ChannelFields,
): Promise<void> {
  await tx.query({
    name: 'update_channel',
    text: `
      UPDATE channels SET name = $2, topic = $3, position = $4, parent_id = $5, rate_limit_per_user = $6
      WHERE id = $1`,
    values: [channelId, name, topic, position, parent_id, rate_limit_per_user],
  });
}

export async function setChannelPositions(
  tx: PoolClient,
  positions: readonly { readonly id: string; readonly position: number }[],
): Promise<void> {
  await tx.query({
    name: 'update_channel_positions',
    text: `
      UPDATE channels SET position = wanted.position
      FROM jsonb_to_recordset($1::jsonb) AS wanted(id bigint, position integer)
      WHERE channels.id = wanted.id`,
    values: [JSON.stringify(positions)],
  });
}

/** Takes all channels out of a category. */
export async function emptyCategory(tx: PoolClient, categoryId: string): Promise<void> {
  await tx.query({
    name: 'leave_category',
    text: 'UPDATE channels SET parent_id = NULL WHERE parent_id = $1',
    values: [categoryId],
  });
}

/** Deletes a guild channel with its overwrites and invites. The rest is deleted later. */
export async function deleteChannelRow(tx: PoolClient, channelId: string): Promise<void> {
  await tx.query({
    name: 'delete_channel',
    text: `
      WITH channel AS (DELETE FROM channels WHERE id = $1)
      INSERT INTO ended_channels (channel_id) VALUES ($1)`,
    values: [channelId],
  });
}
