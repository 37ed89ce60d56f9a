import type { AuditLogWebhook } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';

/** Keeps what the audit log shows of a webhook, unless a later revision is kept. */
export async function keepWebhookSummary(
  tx: PoolClient,
  { id, guild_id, channel_id, name, avatar }: AuditLogWebhook,
  revision: number,
): Promise<void> {
  await tx.query({
    name: 'keep_webhook_summary',
    text: `
      INSERT INTO webhook_summaries (id, guild_id, channel_id, name, avatar, revision)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET channel_id = EXCLUDED.channel_id, name = EXCLUDED.name,
        avatar = EXCLUDED.avatar, revision = EXCLUDED.revision
      WHERE webhook_summaries.revision < EXCLUDED.revision`,
    values: [id, guild_id, channel_id, name, avatar, revision],
  });
}

/** Those with these IDs that are of the guild, by ID. */
export async function readWebhookSummaries(
  db: Pool | PoolClient,
  guildId: string,
  ids: readonly string[],
): Promise<AuditLogWebhook[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<AuditLogWebhook>({
    name: 'read_webhook_summaries',
    text: `SELECT id, guild_id, channel_id, name, avatar FROM webhook_summaries
            WHERE id = ANY ($2::bigint[]) AND guild_id = $1 ORDER BY id`,
    values: [guildId, ids],
  });
  return rows;
}
