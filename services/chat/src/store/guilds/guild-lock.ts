import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/**
 * Locks a guild until the transaction ends; false when there is none. Whoever changes a guild takes this lock before any
 * other, so nobody deadlocks; messages take it too (store/post-messages.ts). Reading waits for nobody.
 *
 * The guild has a new revision from then on: a message whose author's rights were judged before is judged anew.
 */
export async function lockGuild(tx: PoolClient, guildId: string): Promise<boolean> {
  if (!isSnowflake(guildId)) return false;
  const { rowCount } = await tx.query({
    name: 'lock_guild',
    text: 'UPDATE guilds SET revision = revision + 1 WHERE id = $1',
    values: [guildId],
  });
  return rowCount === 1;
}

/**
 * As `lockGuild`, for what changes nobody's rights: the guild keeps its revision, and messages that wait meanwhile need not
 * be judged anew.
 */
export async function lockGuildAsItIs(tx: PoolClient, guildId: string): Promise<boolean> {
  if (!isSnowflake(guildId)) return false;
  const { rowCount } = await tx.query({
    name: 'lock_guild_as_it_is',
    text: 'SELECT FROM guilds WHERE id = $1 FOR NO KEY UPDATE',
    values: [guildId],
  });
  return rowCount === 1;
}
