import type { Overwrite } from '@gatehouse/chat-client/permissions';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/** Selects the overwrites' IDs that are roles or members of the guild, depending on the type. */
export async function findKnownTargets(
  tx: PoolClient,
  guildId: string,
  overwrites: readonly Overwrite[],
): Promise<readonly ReadonlySet<string>[]> {
  const { rows } = await tx.query<{ roles: string[]; members: string[] }>({
    name: 'known_overwrite_targets',
    text: `
      SELECT ARRAY(SELECT id FROM roles WHERE guild_id = $1 AND id = ANY($2::bigint[])) AS roles,
        ARRAY(SELECT account_id FROM members WHERE guild_id = $1 AND account_id = ANY($2::bigint[])) AS members`,
    values: [guildId, overwrites.map(({ id }) => id).filter(isSnowflake)],
  });
  return [new Set(rows[0]?.roles), new Set(rows[0]?.members)];
}

/** The number of overwrites of all channels of a guild. */
export async function countGuildOverwrites(tx: PoolClient, guildId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'count_guild_overwrites',
    text: `
      SELECT count(*)::integer AS count
      FROM channels JOIN permission_overwrites AS overwrite ON overwrite.channel_id = channels.id
      WHERE channels.guild_id = $1`,
    values: [guildId],
  });
  return rows[0]?.count ?? 0;
}

/** Sets overwrites of a channel. Others stay. */
export async function upsertOverwrites(
  tx: PoolClient,
  channelId: string,
  overwrites: readonly Overwrite[],
): Promise<void> {
  if (overwrites.length === 0) return;
  await tx.query({
    name: 'upsert_overwrites',
    text: `
      INSERT INTO permission_overwrites (channel_id, id, type, allow, deny)
      SELECT $1, id, type, allow, deny
      FROM jsonb_to_recordset($2::jsonb) AS overwrite(id bigint, type smallint, allow bigint, deny bigint)
      ON CONFLICT (channel_id, id) DO UPDATE SET type = excluded.type, allow = excluded.allow, deny = excluded.deny`,
    values: [channelId, JSON.stringify(overwrites)],
  });
}

export async function deleteOverwrites(
  tx: PoolClient,
  channelId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query({
    name: 'delete_overwrites',
    text: 'DELETE FROM permission_overwrites WHERE channel_id = $1 AND id = ANY($2::bigint[])',
    values: [channelId, ids],
  });
}
