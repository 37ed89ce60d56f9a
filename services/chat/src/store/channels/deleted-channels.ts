import type { Pool } from 'pg';
import type { PrismaClient } from '../prisma.ts';

/** A deleted channel that may still have webhooks and messages. The table is `ended_channels`. */
export interface DeletedChannel {
  readonly channel_id: string;
  /** False for a private channel, whose row is inserted with `webhooks_ended`. */
  readonly has_webhooks: boolean;
  /** Whether requests that ran at the deletion are over. */
  readonly is_settled: boolean;
}

/** Claims due channels for `lease_ms`, those that wait longest first. Rows claimed by another replica are skipped. */
export async function claimDeletedChannels(
  db: Pool,
  limit: number,
  lease_ms: number,
  settle_ms: number,
): Promise<DeletedChannel[]> {
  const { rows } = await db.query<DeletedChannel>({
    name: 'claim_deleted_channels',
    text: `
      WITH due AS MATERIALIZED (
        SELECT channel_id FROM ended_channels WHERE next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE ended_channels SET next_attempt_at = now() + $2::double precision * interval '1 millisecond'
      FROM due WHERE ended_channels.channel_id = due.channel_id
      RETURNING ended_channels.channel_id, NOT webhooks_ended AS has_webhooks,
        ended_at <= now() - $3::double precision * interval '1 millisecond' AS is_settled`,
    values: [limit, lease_ms, settle_ms],
  });
  return rows;
}

/** Makes a channel claimable at once, behind those that have waited longer. */
export async function releaseDeletedChannel(db: Pool, channelId: string): Promise<void> {
  await db.query({
    name: 'release_deleted_channel',
    text: 'UPDATE ended_channels SET next_attempt_at = now() WHERE channel_id = $1',
    values: [channelId],
  });
}

/** Deletes the channel's oldest messages. Returns their number. */
export async function deleteOldestMessages(db: Pool, channelId: string, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete_oldest_messages',
    text: `
      DELETE FROM messages WHERE channel_id = $1 AND id IN (
        SELECT id FROM messages WHERE channel_id = $1 ORDER BY id LIMIT $2)`,
    values: [channelId, limit],
  });
  return rowCount ?? 0;
}

/** Makes a channel claimable again after the settling time. */
export async function postponeDeletedChannel(db: Pool, channelId: string, settle_ms: number): Promise<void> {
  await db.query({
    name: 'postpone_deleted_channel',
    text: `
      UPDATE ended_channels SET next_attempt_at = ended_at + $2::double precision * interval '1 millisecond'
      WHERE channel_id = $1`,
    values: [channelId, settle_ms],
  });
}

/** Deletes the row of a channel that needs no more work. */
export async function deleteDeletedChannelRow(prisma: PrismaClient, channelId: string): Promise<void> {
  await prisma.deletedChannel.deleteMany({ where: { channel_id: BigInt(channelId) } });
}
