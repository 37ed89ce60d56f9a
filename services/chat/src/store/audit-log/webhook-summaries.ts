import type { AuditLogWebhook } from '@gatehouse/proto/chat';
import type { Pool, PoolClient } from 'pg';

/**
 * Records the arrival of a webhook's revision, and stores its summary for the audit log unless a later revision is
 * stored. The transaction has locked the guild. Returns false if the revision has arrived before.
 */
export async function recordWebhookRevision(
  tx: PoolClient,
  { id, guild_id, channel_id, name, avatar }: AuditLogWebhook,
  revision: number,
): Promise<boolean> {
  const stored = await tx.query({
    name: 'record_webhook_revision',
    text: `
      INSERT INTO webhook_summaries AS kept (id, guild_id, channel_id, name, avatar, revision, missing_revisions)
      VALUES ($1, $2, $3, $4, $5, $6::integer, ARRAY(SELECT generate_series(1, $6::integer - 1)))
      ON CONFLICT (id) DO UPDATE SET channel_id = EXCLUDED.channel_id, name = EXCLUDED.name,
        avatar = EXCLUDED.avatar, revision = EXCLUDED.revision, missing_revisions =
          kept.missing_revisions || ARRAY(SELECT generate_series(kept.revision + 1, EXCLUDED.revision - 1))
      WHERE kept.revision < EXCLUDED.revision`,
    values: [id, guild_id, channel_id, name, avatar, revision],
  });
  return stored.rowCount === 1 || (await takeMissing(tx, id, revision));
}

/** Records the arrival of a revision below the stored one; false if it has arrived before. */
async function takeMissing(tx: PoolClient, id: string, revision: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take_missing_webhook_revision',
    text: `UPDATE webhook_summaries SET missing_revisions = array_remove(missing_revisions, $2::integer)
            WHERE id = $1 AND $2::integer = ANY (missing_revisions)`,
    values: [id, revision],
  });
  return rowCount === 1;
}

/** Reads the guild's summaries with these IDs. */
export async function findWebhookSummaries(
  db: Pool | PoolClient,
  guildId: string,
  ids: readonly string[],
): Promise<AuditLogWebhook[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<AuditLogWebhook>({
    name: 'find_webhook_summaries',
    text: `SELECT id, guild_id, channel_id, name, avatar FROM webhook_summaries
            WHERE id = ANY ($2::bigint[]) AND guild_id = $1 ORDER BY id`,
    values: [guildId, ids],
  });
  return rows;
}
