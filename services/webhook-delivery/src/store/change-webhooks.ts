import type { Pool, PoolClient } from 'pg';
import { SUSPENSION_LOCK } from './suspended-accounts.ts';
import { IS_REFUSED, WEBHOOK_COLUMNS, type WebhookRow } from './webhooks.ts';

/** Locks a webhook's row until the transaction ends. Undefined if there is none. */
export async function lockWebhook(tx: PoolClient, id: string): Promise<WebhookRow | undefined> {
  const { rows } = await tx.query<WebhookRow>({
    name: 'lock_webhook',
    text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE id = $1 FOR UPDATE`,
    values: [id],
  });
  return rows[0];
}

/**
 * Whether requests with the token of a locked webhook are refused. That stays so until the transaction ends: a suspension
 * of the creator waits for it. The statement after the lock reads every suspension that was stored before.
 */
export async function isTokenRefused(
  tx: PoolClient,
  { id, creator_id }: Pick<WebhookRow, 'id' | 'creator_id'>,
): Promise<boolean> {
  await tx.query({
    name: 'lock_suspension_shared',
    text: `SELECT pg_advisory_xact_lock_shared(${SUSPENSION_LOCK})`,
    values: [creator_id],
  });
  const { rows } = await tx.query<{ is_refused: boolean }>({
    name: 'is_token_refused',
    text: `SELECT ${IS_REFUSED} AS is_refused FROM webhooks WHERE id = $1`,
    values: [id],
  });
  return rows[0]?.is_refused ?? true;
}

/** Serializes creations and moves in a guild, so that each counts all earlier ones. */
export async function lockWebhookCounts(tx: PoolClient, guildId: string): Promise<void> {
  await tx.query({
    name: 'lock_webhook_counts',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of guild ' || $1::text, 0))`,
    values: [guildId],
  });
}

/** The number of webhooks in a channel and in its guild. */
export async function countWebhooks(
  db: Pool | PoolClient,
  guildId: string,
  channelId: string,
): Promise<{ readonly in_channel: number; readonly in_guild: number }> {
  const { rows } = await db.query<{ in_channel: number; in_guild: number }>({
    name: 'count_webhooks',
    text: `SELECT (count(*) FILTER (WHERE channel_id = $2))::integer AS in_channel,
                  count(*)::integer AS in_guild
             FROM webhooks WHERE guild_id = $1`,
    values: [guildId, channelId],
  });
  return rows[0] ?? { in_channel: 0, in_guild: 0 };
}

export async function insertWebhook(tx: PoolClient, webhook: WebhookRow): Promise<void> {
  const { id, guild_id, channel_id, name, avatar, token, creator_id } = webhook;
  await tx.query({
    name: 'insert_webhook',
    text: `INSERT INTO webhooks (${WEBHOOK_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [id, guild_id, channel_id, name, avatar, token, creator_id],
  });
}

/** Stores the mutable columns of a locked webhook. Returns its new revision. */
export async function updateWebhookRow(
  tx: PoolClient,
  { id, channel_id, name, avatar }: WebhookRow,
): Promise<number> {
  const { rows } = await tx.query<{ revision: number }>({
    name: 'update_webhook',
    text: `UPDATE webhooks SET channel_id = $2, name = $3, avatar = $4, revision = revision + 1
            WHERE id = $1 RETURNING revision`,
    values: [id, channel_id, name, avatar],
  });
  return revisionOf(rows);
}

/** Deletes a locked webhook. Returns the revision of the deletion. */
export async function deleteWebhookRow(tx: PoolClient, { id }: WebhookRow): Promise<number> {
  const { rows } = await tx.query<{ revision: number }>({
    name: 'delete_webhook',
    text: 'DELETE FROM webhooks WHERE id = $1 RETURNING revision + 1 AS revision',
    values: [id],
  });
  return revisionOf(rows);
}

function revisionOf(rows: readonly { revision: number }[]): number {
  const [row] = rows;
  if (row === undefined) throw new Error('a locked webhook was gone');
  return row.revision;
}
