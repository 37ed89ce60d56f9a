import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';
import { CHANNEL_COLUMNS } from './channels.ts';

/** Where the list of an account's private channels ends. */
const MAX_LISTED = 1000;

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

/** Ends a private channel; what hangs on it is removed later. It has no webhooks. */
export async function deletePrivateChannel(tx: PoolClient, channelId: string): Promise<void> {
  await tx.query({
    name: 'delete_private_channel',
    text: `
      WITH channel AS (DELETE FROM channels WHERE id = $1)
      INSERT INTO ended_channels (channel_id, webhooks_ended) VALUES ($1, true)`,
    values: [channelId],
  });
}

/** Stores a new group DM, which is the first recipient's. */
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

/** Stores the DM of two accounts; false when they have one. Of simultaneous callers the others wait for the first. */
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

/** Hides a DM from an account; false when it is hidden. */
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

/** Those from whom a DM is hidden. */
export async function readClosers(db: Pool, channelId: string): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'read_closers',
    text: 'SELECT account_id FROM channel_recipients WHERE channel_id = $1 AND closed',
    values: [channelId],
  });
  return rows.map(({ account_id }) => account_id);
}

/** Shows a DM to an account again; false when it is shown. */
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

/** An account's private channels but for the DMs that it has closed: the one with the newest message first. */
export async function readPrivateChannels(db: Pool, accountId: string): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>({
    name: 'read_private_channels',
    text: `
      SELECT * FROM (
        SELECT ${CHANNEL_COLUMNS}
        FROM channel_recipients AS recipient JOIN channels ON channels.id = recipient.channel_id
        WHERE recipient.account_id = $1 AND NOT recipient.closed
      ) AS channel
      ORDER BY COALESCE(last_message_id, id) DESC
      LIMIT ${MAX_LISTED}`,
    values: [accountId],
  });
  return rows;
}
