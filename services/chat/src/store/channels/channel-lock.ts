import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/**
 * Locks a channel, and its guild before it, until the transaction ends. Who changes a message takes these locks as who
 * posts one does (store/post-messages.ts), so that their events are in the order of the commits.
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
