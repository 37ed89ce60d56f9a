import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { Pool, PoolClient } from 'pg';

export interface NewMessage {
  readonly message: MessageRow;
  /** Returned with the message and in its event, but not stored. */
  readonly nonce?: string | null;
  /** The hexadecimal SHA-256 of the deduplication key of a webhook's message. */
  readonly deduplication_sha256?: string | null;
  /** The guild's revision at the check of the author's permissions (store/guilds/guild-lock.ts). */
  readonly guild_revision?: string | null;
  /** The fence at the check of a webhook's credential (store/guilds/webhook-fences.ts). */
  readonly fence?: number | null | undefined;
}

/**
 * `taken`: the deduplication key is claimed. `permissions_changed`: the author's permissions, or a webhook's
 * credential, may have changed since their check. Only `posted` stores anything.
 */
export type PostOutcome = 'posted' | 'channel_gone' | 'guild_disabled' | 'permissions_changed' | 'taken';

/**
 * Posts messages with their events and claims of deduplication keys in one statement: one round trip and one commit for
 * all of them, in any channels.
 */
export async function postMessages(db: Pool, items: readonly NewMessage[]): Promise<(PostOutcome | Error)[]> {
  try {
    return await postTogether(db, items);
  } catch (error) {
    if (items.length === 1 || !isDataError(error)) throw error;
    // Nothing is stored: each item is retried alone, so that only the broken one fails.
    const outcomes: (PostOutcome | Error)[] = [];
    for (const item of items) outcomes.push(await postAlone(db, item));
    return outcomes;
  }
}

/** Posts a message with its event in a transaction. */
export async function postMessage(
  tx: PoolClient,
  message: MessageRow,
  nonce: string | null = null,
): Promise<PostOutcome | undefined> {
  const [posted] = await postTogether(tx, [{ message, nonce }]);
  return posted;
}

async function postAlone(db: Pool, item: NewMessage): Promise<PostOutcome | Error> {
  try {
    const [outcome] = await postTogether(db, [item]);
    return outcome ?? new Error('the statement returned no row for an item');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function postTogether(db: Pool | PoolClient, items: readonly NewMessage[]): Promise<PostOutcome[]> {
  const keyed = items.some((item) => item.deduplication_sha256);
  const { rows } = await db.query<{ outcome: PostOutcome }>({
    ...(keyed ? POST_KEYED : POST),
    values: [JSON.stringify(items.map(asRecord)), [...new Set(items.map((item) => item.message.channel_id))]],
  });
  return rows.map((row) => row.outcome);
}

function asRecord(item: NewMessage, index: number) {
  const { message, nonce, deduplication_sha256, guild_revision, fence } = item;
  const { channel_id, author_id } = message;
  const payload = nonce ? { ...message, nonce } : message;
  const revision = guild_revision ?? undefined;
  const key = deduplication_sha256 ?? undefined;
  return { n: index, key, channel_id, author_id, revision, fence: fence ?? undefined, payload };
}

/** For messages without keys, which are most: claims slow the statement down by a third. */
const POST = { name: 'post_messages', text: postStatement({ claim: '', isKeyFree: 'true' }) };

/**
 * - Of several items with the same key, only the first one whose channel exists claims it: an INSERT cannot update a
 * row twice. Claims are inserted in key order, so that batches cannot deadlock.
 * - The INSERT waits for a concurrent transaction with the same claim. If that commits, the key is taken.
 */
const POST_KEYED = {
  name: 'post_keyed_messages',
  text: postStatement({
    claim: `claim AS (
      INSERT INTO deduplication_claims (webhook_id, key_sha256, message_id, claimed_at)
      SELECT DISTINCT ON (webhook_id, key) webhook_id, decode(key, 'hex'), id, clock_timestamp()
      FROM item, jsonb_to_record(payload) AS message(id bigint, webhook_id bigint)
      WHERE allowed AND key IS NOT NULL
      ORDER BY webhook_id, key, n
      ON CONFLICT (webhook_id, key_sha256) DO UPDATE
        SET message_id = excluded.message_id, claimed_at = excluded.claimed_at
        WHERE deduplication_claims.claimed_at <= excluded.claimed_at - interval '24 hours'
      RETURNING message_id
    ),`,
    isKeyFree: `(key IS NULL OR (payload ->> 'id')::bigint IN (SELECT message_id FROM claim))`,
  }),
};

/** SQL: the parts of the statement that handle deduplication keys. */
interface KeyParts {
  /** Inserts the claims, as a part of WITH. */
  readonly claim: string;
  /** Whether an item has no key, or has claimed it. */
  readonly isKeyFree: string;
}

/**
 * The guilds are locked, then the channels, each in ID order, so that there are no deadlocks. A transaction that waited
 * for a lock gets the current row: a channel deleted meanwhile is missing, and recipients, and the guild's revision and
 * fence, are current. So accounts that have left a private channel, or may have lost a permission, post nothing, and
 * neither do webhooks whose credential was checked before the fence, or anybody in a disabled guild. Events draw their
 * IDs afterwards, so that in a guild or private channel they are logged in commit order.
 */
function postStatement({ claim, isKeyFree }: KeyParts): string {
  return `
    WITH guild AS (
      SELECT id, revision, webhook_fence, disabled_at IS NOT NULL AS is_disabled FROM guilds
      WHERE id IN (SELECT guild_id FROM channels WHERE id = ANY($2::bigint[]))
      ORDER BY id
      FOR NO KEY UPDATE
    ), live AS (
      SELECT id, guild_id, recipient_ids FROM channels
      WHERE id = ANY($2::bigint[]) AND type <> 4 AND (guild_id IS NULL OR guild_id IN (SELECT id FROM guild))
      ORDER BY id
      FOR NO KEY UPDATE
    ), item AS (
      SELECT entry.n, entry.key, live.id AS channel_id, live.guild_id, entry.payload,
        COALESCE(guild.is_disabled, false) AS is_disabled,
        CASE WHEN live.guild_id IS NULL THEN live.recipient_ids END AS account_ids,
        CASE WHEN live.guild_id IS NULL THEN COALESCE(entry.author_id = ANY (live.recipient_ids), false)
          ELSE NOT guild.is_disabled AND (entry.revision IS NULL OR entry.revision = guild.revision)
            AND (entry.fence IS NULL OR entry.fence >= guild.webhook_fence) END AS allowed
      FROM jsonb_to_recordset($1::jsonb)
          AS entry(n integer, key text, channel_id bigint, author_id bigint, revision bigint, fence bigint,
            payload jsonb)
        LEFT JOIN live ON live.id = entry.channel_id
        LEFT JOIN guild ON guild.id = live.guild_id
    ), ${claim} message AS (
      INSERT INTO messages (id, channel_id, author_id, webhook_id, webhook_name, webhook_avatar, type,
        flags, content, embeds, mention_ids, mention_role_ids, mention_everyone, pinned, edited_at)
      SELECT message.*
      FROM item, jsonb_to_record(payload) AS message(id bigint, channel_id bigint, author_id bigint,
        webhook_id bigint, webhook_name text, webhook_avatar text, type smallint, flags integer,
        content text, embeds jsonb, mention_ids bigint[], mention_role_ids bigint[],
        mention_everyone boolean, pinned boolean, edited_at timestamptz)
      WHERE allowed AND ${isKeyFree}
    ), event AS (
      INSERT INTO events (type, account_ids, channel_id, guild_id, payload)
      SELECT 'MESSAGE_CREATE', account_ids, channel_id, guild_id, payload
      FROM item
      WHERE allowed AND ${isKeyFree}
      ORDER BY n
    )
    SELECT CASE
        WHEN channel_id IS NULL THEN 'channel_gone'
        WHEN is_disabled THEN 'guild_disabled'
        WHEN NOT allowed THEN 'permissions_changed'
        WHEN ${isKeyFree} THEN 'posted'
        ELSE 'taken'
      END AS outcome
    FROM item
    ORDER BY n`;
}

/** SQLSTATE classes 22 data exception, 23 constraint violation, 54 limit exceeded. */
function isDataError(error: unknown): boolean {
  return error instanceof Error && /^(?:22|23|54)/.test(String((error as { code?: unknown }).code));
}
