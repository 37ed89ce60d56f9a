import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { Pool } from 'pg';
import { isoText } from '../iso-text.ts';

/** The columns of a MessageRow. */
export const MESSAGE_COLUMNS = `id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type, flags, content,
  embeds, mention_ids, mention_role_ids, mention_everyone, pinned,
  ${isoText('edited_at')} AS edited_at`;

/** Maximum messages of a page. */
export const MAX_PAGE = 100;

/**
 * Selects a page of a channel: the `older` messages nearest before one ID, and the `newer` ones nearest after another.
 */
export interface MessagePage {
  readonly channel_id: string;
  readonly before: string;
  readonly older: number;
  readonly after: string;
  readonly newer: number;
}

/**
 * Reads a page, newest first. Each half scans the primary key from its ID and stops at its limit; an empty half reads
 * nothing. The constant limits tell the planner, which plans this once for all values, that a page is small: otherwise
 * it would assume a tenth of the channel.
 */
export async function findMessagePage(
  db: Pool,
  { channel_id, before, older, after, newer }: MessagePage,
): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    ...MESSAGE_PAGE,
    values: [channel_id, before, older, after, newer],
  });
  return rows;
}

export const MESSAGE_PAGE = {
  name: 'find_message_page',
  text: `
    SELECT ${MESSAGE_COLUMNS} FROM (
      (SELECT * FROM (
        SELECT * FROM messages WHERE channel_id = $1 AND id < $2 ORDER BY id DESC LIMIT ${MAX_PAGE}
      ) AS older ORDER BY id DESC LIMIT $3)
      UNION ALL
      (SELECT * FROM (
        SELECT * FROM messages WHERE channel_id = $1 AND id > $4 ORDER BY id LIMIT ${MAX_PAGE}
      ) AS newer ORDER BY id LIMIT $5)
    ) AS message
    ORDER BY id DESC`,
};
