import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/** The state of a locked guild. */
export interface LockedGuild {
  /** Whether an operator disabled it (docs/guilds.md#disabled-guilds). */
  readonly is_disabled: boolean;
}

/**
 * Locks a guild until the transaction ends; undefined if it does not exist. Every change of a guild, and every message in
 * it (store/messages/post-messages.ts), takes this lock first, so that there are no deadlocks. Reads do not wait. The
 * guild gets a new revision: messages whose authors' permissions were checked before are checked again.
 */
export async function lockGuild(tx: PoolClient, guildId: string): Promise<LockedGuild | undefined> {
  if (!isSnowflake(guildId)) return undefined;
  const { rows } = await tx.query<LockedGuild>({
    name: 'lock_guild',
    text: `UPDATE guilds SET revision = revision + 1 WHERE id = $1
      RETURNING disabled_at IS NOT NULL AS is_disabled`,
    values: [guildId],
  });
  return rows[0];
}

/**
 * Like `lockGuild`, for changes that do not affect permissions: the guild keeps its revision, so that waiting messages
 * are not checked again. False if it does not exist.
 */
export async function lockGuildKeepingRevision(tx: PoolClient, guildId: string): Promise<boolean> {
  if (!isSnowflake(guildId)) return false;
  const { rowCount } = await tx.query({
    name: 'lock_guild_as_it_is',
    text: 'SELECT FROM guilds WHERE id = $1 FOR NO KEY UPDATE',
    values: [guildId],
  });
  return rowCount === 1;
}
