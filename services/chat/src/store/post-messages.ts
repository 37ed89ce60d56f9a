import type { Pool } from 'pg';
import type { MessageRow } from './messages.ts';

export interface NewMessage {
  readonly message: MessageRow;
  /** Returned with the message and told in its event, but not kept. */
  readonly nonce?: string | null;
  /** The SHA-256, in hexadecimal digits, of the key under which a webhook posts this only once. */
  readonly deduplication_sha256?: string | null;
}

/** `taken`: the deduplication key is claimed already. Only `posted` stored anything. */
export type Posted = 'posted' | 'channel_gone' | 'taken';

/**
 * Posts messages, each with its event and its claim of a deduplication key, in one statement: one
 * round trip and one commit for all of them, in any channels.
 */
export async function postMessages(db: Pool, items: readonly NewMessage[]): Promise<(Posted | Error)[]> {
  try {
    return await postTogether(db, items);
  } catch (error) {
    if (items.length === 1 || !isAboutData(error)) throw error;
    // Nothing was stored. Let the item that broke the statement fail alone.
    const answers: (Posted | Error)[] = [];
    for (const item of items) answers.push(await postAlone(db, item));
    return answers;
  }
}

async function postAlone(db: Pool, item: NewMessage): Promise<Posted | Error> {
  try {
    const [answer] = await postTogether(db, [item]);
    return answer ?? new Error('the statement answers every item');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function postTogether(db: Pool, items: readonly NewMessage[]): Promise<Posted[]> {
  const { rows } = await db.query<{ posted: Posted }>({
    name: 'post_messages',
    text: POST,
    values: [JSON.stringify(items.map(asRecord)), [...new Set(items.map((item) => item.message.channel_id))]],
  });
  return rows.map((row) => row.posted);
}

function asRecord({ message, nonce, deduplication_sha256 }: NewMessage, index: number) {
  const payload = nonce ? { ...message, nonce } : message;
  return { n: index, key: deduplication_sha256 ?? undefined, payload };
}

/**
 * - `live` locks the channels' keys against deletion, not against one another's writers.
 * - Of several items with one key, only one with a live channel tries for it; so the claim never meets
 *   itself. Claims are tried in order, so that batches cannot wait for each other in a circle.
 * - A claim that a concurrent transaction holds is waited for: it is taken if that one commits.
 */
const POST = `
  WITH item AS (
    SELECT entry.n, decode(entry.key, 'hex') AS key_sha256, entry.payload, message.*
    FROM jsonb_to_recordset($1::jsonb) AS entry(n integer, key text, payload jsonb),
      jsonb_to_record(entry.payload) AS message(id bigint, channel_id bigint, author_id bigint,
        webhook_id bigint, webhook_name text, webhook_avatar text, type smallint, flags integer,
        content text, embeds jsonb, mention_ids bigint[], mention_role_ids bigint[],
        mention_everyone boolean, pinned boolean, edited_at timestamptz)
  ), live AS (
    SELECT id, guild_id FROM channels
    WHERE id = ANY($2::bigint[]) AND type <> 4
    FOR KEY SHARE
  ), claim AS (
    INSERT INTO deduplication_claims (webhook_id, key_sha256, message_id, claimed_at)
    SELECT DISTINCT ON (item.webhook_id, item.key_sha256)
      item.webhook_id, item.key_sha256, item.id, clock_timestamp()
    FROM item JOIN live ON live.id = item.channel_id
    WHERE item.key_sha256 IS NOT NULL
    ORDER BY item.webhook_id, item.key_sha256, item.n
    ON CONFLICT (webhook_id, key_sha256) DO UPDATE
      SET message_id = excluded.message_id, claimed_at = excluded.claimed_at
      WHERE deduplication_claims.claimed_at <= excluded.claimed_at - interval '24 hours'
    RETURNING message_id
  ), wanted AS (
    SELECT item.*, live.guild_id
    FROM item JOIN live ON live.id = item.channel_id
    WHERE item.key_sha256 IS NULL OR item.id IN (SELECT message_id FROM claim)
  ), message AS (
    INSERT INTO messages (id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type,
      flags, content, embeds, mention_ids, mention_role_ids, mention_everyone, pinned, edited_at)
    SELECT id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type,
      flags, content, embeds, mention_ids, mention_role_ids, mention_everyone, pinned, edited_at
    FROM wanted
  ), event AS (
    INSERT INTO events (type, channel_id, guild_id, payload)
    SELECT 'MESSAGE_CREATE', channel_id, guild_id, payload FROM wanted ORDER BY n
  )
  SELECT CASE
      WHEN live.id IS NULL THEN 'channel_gone'
      WHEN wanted.id IS NULL THEN 'taken'
      ELSE 'posted'
    END AS posted
  FROM item LEFT JOIN live ON live.id = item.channel_id LEFT JOIN wanted ON wanted.n = item.n
  ORDER BY item.n`;

/** SQLSTATE classes 22 data exception, 23 constraint violation, 54 limit exceeded. */
function isAboutData(error: unknown): boolean {
  return error instanceof Error && /^(?:22|23|54)/.test(String((error as { code?: unknown }).code));
}
