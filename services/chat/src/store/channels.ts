import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Channel, PermissionOverwrite } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';

export const ChannelType = {
  GUILD_TEXT: 0,
  DM: 1,
  GUILD_VOICE: 2,
  GROUP_DM: 3,
  CATEGORY: 4,
} as const;

/** A channel as it is stored, and as its event's payload holds it. */
export interface ChannelRow extends Omit<Channel, 'recipients' | 'permission_overwrites'> {
  readonly permission_overwrites: readonly PermissionOverwrite[];
  /** Of a private channel: all that are in it, in the order in which they came. */
  readonly recipient_ids: readonly string[];
}

/** Of a ChannelRow. */
export const CHANNEL_COLUMNS = `channels.id, channels.guild_id, channels.type, channels.name, channels.topic,
  channels.position, channels.parent_id, channels.rate_limit_per_user, channels.owner_id, channels.recipient_ids,
  (SELECT max(id) FROM messages WHERE channel_id = channels.id) AS last_message_id,
  COALESCE((SELECT json_agg(json_build_object('id', id::text, 'type', type, 'allow', allow::text,
      'deny', deny::text) ORDER BY id)
    FROM permission_overwrites WHERE channel_id = channels.id), '[]') AS permission_overwrites`;

export async function readChannel(db: Pool | PoolClient, channelId: string): Promise<ChannelRow | undefined> {
  if (!isSnowflake(channelId)) return undefined;
  const { rows } = await db.query<ChannelRow>({
    name: 'read_channel',
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE id = $1`,
    values: [channelId],
  });
  return rows[0];
}

/** By position, then by ID. */
export async function readChannels(db: Pool | PoolClient, guildId: string): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>({
    name: 'read_channels',
    text: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE guild_id = $1 ORDER BY position, channels.id`,
    values: [guildId],
  });
  return rows;
}
