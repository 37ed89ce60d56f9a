import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/** The state of a locked channel's guild. */
export interface LockedChannel {
  /** Whether an operator disabled the guild (docs/guilds.md#disabled-guilds). */
  readonly is_disabled: boolean;
  /** Its fence (store/guilds/webhook-fences.ts). */
  readonly webhook_fence: number;
}

/** The state of a private channel, and of one that does not exist. */
const UNGUARDED: LockedChannel = { is_disabled: false, webhook_fence: 0 };

/**
 * Locks a channel's guild and then the channel until the transaction ends. Posting takes the same locks
 * (store/messages/post-messages.ts), so that a message's events are logged in commit order.
 */
export async function lockChannel(tx: PoolClient, channelId: string): Promise<LockedChannel> {
  if (!isSnowflake(channelId)) return UNGUARDED;
  const { rows } = await tx.query<{ is_disabled: boolean | null; webhook_fence: string | null }>({
    name: 'lock_channel',
    text: `
      WITH guild AS (
        SELECT id, disabled_at IS NOT NULL AS is_disabled, webhook_fence FROM guilds WHERE id = (SELECT guild_id FROM channels WHERE id = $1)
        FOR NO KEY UPDATE
      )
      SELECT (SELECT is_disabled FROM guild), (SELECT webhook_fence FROM guild) FROM channels
      WHERE id = $1 AND (guild_id IS NULL OR guild_id IN (SELECT id FROM guild))
      FOR NO KEY UPDATE`,
    values: [channelId],
  });
  const { is_disabled, webhook_fence } = rows[0] ?? {};
  return { is_disabled: is_disabled ?? false, webhook_fence: Number(webhook_fence ?? 0) };
}
