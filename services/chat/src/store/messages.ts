import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Embed } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';

/** A message as it is stored, and as its event's payload holds it. */
export interface MessageRow {
  readonly id: string;
  readonly channel_id: string;
  /** The account's that wrote it; null for a webhook's. */
  readonly author_id: string | null;
  readonly webhook_id: string | null;
  /** The name it was posted under. */
  readonly webhook_name: string | null;
  readonly webhook_avatar: string | null;
  readonly type: number;
  readonly flags: number;
  readonly content: string;
  readonly embeds: readonly Embed[];
  readonly mention_ids: readonly string[];
  readonly mention_role_ids: readonly string[];
  readonly mention_everyone: boolean;
  readonly pinned: boolean;
  /** ISO 8601. */
  readonly edited_at: string | null;
}

const COLUMNS = `
  id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type, flags, content, embeds,
  mention_ids, mention_role_ids, mention_everyone, pinned, edited_at`;
const MAX_ID = String(2n ** 63n - 1n);

export async function readMessage(
  db: Pool,
  channelId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  if (!isSnowflake(channelId) || !isSnowflake(messageId)) return undefined;
  const { rows } = await db.query<DatabaseRow>({
    name: 'read_message',
    text: `SELECT ${COLUMNS} FROM messages WHERE channel_id = $1 AND id = $2`,
    values: [channelId, messageId],
  });
  return rows.map(fromDatabase)[0];
}

/** The newest messages, or the newest of those before one; newest first. */
export async function readMessagesBefore(
  db: Pool,
  channelId: string,
  before: string | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await db.query<DatabaseRow>({
    name: 'read_messages_before',
    text: `SELECT ${COLUMNS} FROM messages WHERE channel_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
    values: [channelId, before ?? MAX_ID, limit],
  });
  return rows.map(fromDatabase);
}

/** The nearest messages after one; newest first. */
export async function readMessagesAfter(
  db: Pool,
  channelId: string,
  after: string,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await db.query<DatabaseRow>({
    name: 'read_messages_after',
    text: `SELECT ${COLUMNS} FROM messages WHERE channel_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    values: [channelId, after, limit],
  });
  return rows.map(fromDatabase).reverse();
}

type DatabaseRow = Omit<MessageRow, 'edited_at'> & { readonly edited_at: Date | null };

function fromDatabase(row: DatabaseRow): MessageRow {
  return { ...row, edited_at: row.edited_at?.toISOString() ?? null };
}
