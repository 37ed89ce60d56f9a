import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/**
 * Locks a channel's guild and then the channel until the transaction ends. Posting takes the same locks
 * (store/messages/post-messages.ts), so that a message's events are logged in commit order.
 */
export async function lockChannel(tx: PoolClient, channelId: string): Promise<void> {
  if (!isSnowflake(channelId)) return;
  await tx.query({
    name: 'lock_channel',
    text: `
      WITH guild AS (
        SELECT id FROM guilds WHERE id = (SELECT guild_id FROM channels WHERE id = $1) FOR NO KEY UPDATE
      )
      SELECT FROM channels
      WHERE id = $1 AND (guild_id IS NULL OR guild_id IN (SELECT id FROM guild))
      FOR NO KEY UPDATE`,
    values: [channelId],
  });
}
