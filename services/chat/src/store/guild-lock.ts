import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/**
 * Locks a guild until the transaction ends; false when there is none. Whoever changes a guild takes this lock before any
 * other, so nobody deadlocks; messages take it too (store/post-messages.ts). Reading waits for nobody.
 */
export async function lockGuild(tx: PoolClient, guildId: string): Promise<boolean> {
  if (!isSnowflake(guildId)) return false;
  const { rowCount } = await tx.query({
    name: 'lock_guild',
    text: 'SELECT FROM guilds WHERE id = $1 FOR NO KEY UPDATE',
    values: [guildId],
  });
  return rowCount === 1;
}
