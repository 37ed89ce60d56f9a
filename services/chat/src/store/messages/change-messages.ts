import type { MessageRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';
import { MESSAGE_COLUMNS } from './list-messages.ts';

/** Reads a message whose channel the transaction has locked. */
export async function findMessageToChange(
  tx: PoolClient,
  channelId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  if (!isSnowflake(channelId) || !isSnowflake(messageId)) return undefined;
  const { rows } = await tx.query<MessageRow>({
    name: 'find_message_to_change',
    text: `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE channel_id = $1 AND id = $2`,
    values: [channelId, messageId],
  });
  return rows[0];
}

/** Stores an edit. */
export async function updateMessageRow(tx: PoolClient, message: MessageRow): Promise<void> {
  const { channel_id, id, content, embeds, flags, edited_at } = message;
  const { mention_ids, mention_role_ids, mention_everyone } = message;
  await tx.query({
    name: 'update_message',
    text: `
      UPDATE messages SET content = $3, embeds = $4, flags = $5, edited_at = $6, mention_ids = $7,
        mention_role_ids = $8, mention_everyone = $9
      WHERE channel_id = $1 AND id = $2`,
    values: [
      channel_id,
      id,
      content,
      JSON.stringify(embeds),
      flags,
      edited_at,
      mention_ids,
      mention_role_ids,
      mention_everyone,
    ],
  });
}

/** Deletes a message. Returns the channel's newest message afterwards; null if none is left. */
export async function deleteMessageRow(
  tx: PoolClient,
  channelId: string,
  messageId: string,
): Promise<string | null> {
  const { rows } = await tx.query<{ last_message_id: string | null }>({
    name: 'delete_message',
    text: `
      DELETE FROM messages WHERE channel_id = $1 AND id = $2
      RETURNING (SELECT max(id) FROM messages WHERE channel_id = $1 AND id <> $2) AS last_message_id`,
    values: [channelId, messageId],
  });
  return rows[0]?.last_message_id ?? null;
}
