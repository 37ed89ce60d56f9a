import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Channel } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';

/** Kinds of channels (docs/guilds.md#channel-types). */
export const ChannelType = { TEXT: 0, DM: 1, VOICE: 2, GROUP_DM: 3, CATEGORY: 4 } as const;

const COLUMNS = `
  id, guild_id, type, name, topic, position, parent_id, rate_limit_per_user,
  (SELECT max(id) FROM messages WHERE channel_id = channels.id) AS last_message_id,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', id::text, 'type', type, 'allow', allow::text,
      'deny', deny::text) ORDER BY id)
    FROM permission_overwrites WHERE channel_id = channels.id), '[]') AS permission_overwrites`;

export async function readChannel(db: Pool, channelId: string): Promise<Channel | undefined> {
  if (!isSnowflake(channelId)) return undefined;
  const { rows } = await db.query<Channel>({
    name: 'read_channel',
    text: `SELECT ${COLUMNS} FROM channels WHERE id = $1`,
    values: [channelId],
  });
  return rows[0];
}

/** By position, then by ID. */
export async function readChannels(db: Pool, guildId: string): Promise<Channel[]> {
  const { rows } = await db.query<Channel>({
    name: 'read_channels',
    text: `SELECT ${COLUMNS} FROM channels WHERE guild_id = $1 ORDER BY position, channels.id`,
    values: [guildId],
  });
  return rows;
}
