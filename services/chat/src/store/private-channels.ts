import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';

/**
 * Locks a private channel until the transaction ends, so that its recipients stay as they are and its events are in the
 * order of the commits. A channel of a guild is not locked: its guild is.
 */
export async function lockPrivateChannel(tx: PoolClient, channelId: string): Promise<void> {
  if (!isSnowflake(channelId)) return;
  await tx.query({
    name: 'lock_private_channel',
    text: 'SELECT FROM channels WHERE id = $1 AND guild_id IS NULL FOR NO KEY UPDATE',
    values: [channelId],
  });
}

/** The last of a private channel's recipients is the account from now on. */
export async function insertRecipient(tx: PoolClient, channelId: string, accountId: string): Promise<void> {
  await tx.query({
    name: 'insert_recipient',
    text: `
      WITH recipient AS (INSERT INTO channel_recipients (channel_id, account_id) VALUES ($1, $2))
      UPDATE channels SET recipient_ids = array_append(recipient_ids, $2) WHERE id = $1`,
    values: [channelId, accountId],
  });
}

/** The account is none of the recipients any more, and a group DM is `ownerId`'s. */
export async function deleteRecipient(
  tx: PoolClient,
  channelId: string,
  accountId: string,
  ownerId: string,
): Promise<void> {
  await tx.query({
    name: 'delete_recipient',
    text: `
      WITH recipient AS (DELETE FROM channel_recipients WHERE channel_id = $1 AND account_id = $2)
      UPDATE channels SET recipient_ids = array_remove(recipient_ids, $2), owner_id = $3 WHERE id = $1`,
    values: [channelId, accountId, ownerId],
  });
}
