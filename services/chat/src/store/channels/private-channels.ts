import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';
import { CHANNEL_COLUMNS } from './channels.ts';

/** Maximum private channels of an account in an answer. */
const MAX_PRIVATE_CHANNELS = 1_000;

/**
 * Locks a private channel until the transaction ends, so that its recipients stay and its events are logged in commit
 * order. Does nothing for a guild's channel: its guild is locked instead.
 */
export async function lockPrivateChannel(tx: PoolClient, channelId: string): Promise<void> {
  if (!isSnowflake(channelId)) return;
  await tx.query({
    name: 'lock_private_channel',
    text: 'SELECT FROM channels WHERE id = $1 AND guild_id IS NULL FOR NO KEY UPDATE',
    values: [channelId],
  });
}

/** Appends the account to a private channel's recipients. */
export async function insertRecipient(tx: PoolClient, channelId: string, accountId: string): Promise<void> {
  await tx.query({
    name: 'insert_recipient',
    text: `
      WITH recipient AS (INSERT INTO channel_recipients (channel_id, account_id) VALUES ($1, $2))
      UPDATE channels SET recipient_ids = array_append(recipient_ids, $2) WHERE id = $1`,
    values: [channelId, accountId],
  });
}

/** Removes the account from a group DM, which `ownerId` owns from then on. */
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

/** Deletes a private channel, which has no webhooks. Its messages are deleted later. */
export async function deletePrivateChannel(tx: PoolClient, channelId: string): Promise<void> {
  await tx.query({
    name: 'delete_private_channel',
    text: `
      WITH channel AS (DELETE FROM channels WHERE id = $1)
      INSERT INTO ended_channels (channel_id, webhooks_ended) VALUES ($1, true)`,
    values: [channelId],
  });
}

/** Stores a new group DM, owned by the first recipient. */
export async function insertGroupChannel(
  tx: PoolClient,
  id: string,
  recipientIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'insert_group_channel',
    text: `
      WITH channel AS (
        INSERT INTO channels (id, type, owner_id, recipient_ids) VALUES ($1, 3, ($2::bigint[])[1], $2)
      )
      INSERT INTO channel_recipients (channel_id, account_id) SELECT $1, unnest($2::bigint[])`,
    values: [id, recipientIds],
  });
}

/** Stores the DM of two accounts; false if it exists. Concurrent callers wait for the first one. */
export async function insertDirectChannel(
  tx: PoolClient,
  id: string,
  accountId: string,
  otherId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_direct_channel',
    text: `
      WITH pair AS (
        INSERT INTO direct_channels (low_id, high_id, channel_id)
        VALUES (least($2::bigint, $3::bigint), greatest($2::bigint, $3::bigint), $1)
        ON CONFLICT DO NOTHING
        RETURNING channel_id
      ), channel AS (
        INSERT INTO channels (id, type, recipient_ids) SELECT channel_id, 1, ARRAY[$2::bigint, $3::bigint] FROM pair
      )
      INSERT INTO channel_recipients (channel_id, account_id)
      SELECT channel_id, unnest(ARRAY[$2::bigint, $3::bigint]) FROM pair`,
    values: [id, accountId, otherId],
  });
  return rowCount !== 0;
}

/** The DM of two accounts. */
export async function findDirectChannel(
  db: Pool | PoolClient,
  accountId: string,
  otherId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ channel_id: string }>({
    name: 'find_direct_channel',
    text: `
      SELECT channel_id FROM direct_channels
      WHERE low_id = least($1::bigint, $2::bigint) AND high_id = greatest($1::bigint, $2::bigint)`,
    values: [accountId, otherId],
  });
  return rows[0]?.channel_id;
}

/** Hides a DM from an account; false if it is hidden already. */
export async function closeDirectChannel(
  tx: PoolClient,
  channelId: string,
  accountId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'close_direct_channel',
    text: `
      UPDATE channel_recipients SET closed = true
      WHERE channel_id = $1 AND account_id = $2 AND NOT closed`,
    values: [channelId, accountId],
  });
  return rowCount !== 0;
}

/** The accounts from which a DM is hidden. */
export async function findClosers(db: Pool, channelId: string): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find_closers',
    text: 'SELECT account_id FROM channel_recipients WHERE channel_id = $1 AND closed',
    values: [channelId],
  });
  return rows.map(({ account_id }) => account_id);
}

/** Shows a DM to an account again; false if it is shown already. */
export async function reopenDirectChannel(
  tx: PoolClient,
  channelId: string,
  accountId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'reopen_direct_channel',
    text: 'UPDATE channel_recipients SET closed = false WHERE channel_id = $1 AND account_id = $2 AND closed',
    values: [channelId, accountId],
  });
  return rowCount !== 0;
}

/** SQL: an account's private channels without closed DMs, those with the newest messages first. */
export const privateChannelsOf = (account: string) => `
  SELECT * FROM (
    SELECT ${CHANNEL_COLUMNS}
    FROM channel_recipients AS recipient JOIN channels ON channels.id = recipient.channel_id
    WHERE recipient.account_id = ${account} AND NOT recipient.closed
  ) AS channel
  ORDER BY COALESCE(last_message_id, id) DESC
  LIMIT ${MAX_PRIVATE_CHANNELS}`;

export async function findPrivateChannels(db: Pool, accountId: string): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>({
    name: 'find_private_channels',
    text: privateChannelsOf('$1'),
    values: [accountId],
  });
  return rows;
}
