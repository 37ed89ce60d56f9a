import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { Pool } from 'pg';

/** Of a MessageRow. */
export const MESSAGE_COLUMNS = `id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type, flags, content,
  embeds, mention_ids, mention_role_ids, mention_everyone, pinned,
  to_char(edited_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS edited_at`;

/** The most messages of a page. */
export const MAX_PAGE = 100;

/** A page of a channel: as many messages as are `older` that are nearest before one ID, and `newer` after another. */
export interface MessagePage {
  readonly channel_id: string;
  readonly before: string;
  readonly older: number;
  readonly after: string;
  readonly newer: number;
}

/**
 * Reads a page, newest first. Either half goes along the primary key from its ID on and stops when it has its rows; a half
 * of none reads nothing. The constant limits say to the planner, which plans this once for all values, that a page is
 * small: it would assume a tenth of the channel otherwise.
 */
export async function readMessagePage(
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
  name: 'read_message_page',
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
