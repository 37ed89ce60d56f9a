import type { Pool } from 'pg';

/**
 * Raises the fence of guilds. It waits for messages that are being stored there; later ones find the new fence. Guilds are
 * locked in the order of their IDs, as posting locks them.
 */
export async function raiseWebhookFences(
  db: Pool,
  guildIds: readonly string[],
  fence: number,
): Promise<void> {
  await db.query({
    name: 'raise_webhook_fences',
    text: `
      WITH guild AS MATERIALIZED (
        SELECT id FROM guilds WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE guilds SET webhook_fence = greatest(webhook_fence, $2::bigint)
      FROM guild WHERE guilds.id = guild.id`,
    values: [guildIds, fence],
  });
}

/** The fence of a channel's guild; undefined if the channel is gone or has no guild. */
export async function findWebhookFence(db: Pool, channelId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ webhook_fence: string }>({
    name: 'find_webhook_fence',
    text: `
      SELECT webhook_fence FROM guilds
      WHERE id = (SELECT guild_id FROM channels WHERE id = $1)`,
    values: [channelId],
  });
  return rows[0] && Number(rows[0].webhook_fence);
}
