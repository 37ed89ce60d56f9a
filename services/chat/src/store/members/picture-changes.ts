import type { PictureChange, PictureChangeRows } from '@gatehouse/media-client/picture-changes';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';

/** SQL: the time from which another replica may send the change. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Queues a change for media, in its transaction, which has locked the guild. */
export async function queuePictureChange(
  tx: PoolClient,
  { owner_id, guild_id = null, slot, hash, upload_id }: Omit<PictureChange, 'version'>,
  retry_ms: number,
): Promise<void> {
  await tx.query({
    name: 'queue_picture_change',
    text: `INSERT INTO picture_changes (owner_id, next_attempt_at, slot, hash, upload_id, guild_id)
           VALUES ($1, ${RETRY}, $3, $4, $5, $6)`,
    values: [owner_id, retry_ms, slot, hash, upload_id, guild_id],
  });
}

/**
 * Queues the removal of the icon of a locked guild that is being deleted. A trigger queues those of its members'
 * pictures.
 */
export async function queueIconRemoval(tx: PoolClient, guildId: string, retry_ms: number): Promise<void> {
  await tx.query({
    name: 'queue_icon_removal',
    text: `INSERT INTO picture_changes (owner_id, next_attempt_at, slot)
           SELECT id, ${RETRY}, 'icon' FROM guilds WHERE id = $1 AND icon IS NOT NULL`,
    values: [guildId, retry_ms],
  });
}

/** The outbox of picture changes that media has not confirmed. */
export function pictureChangeRows(db: Pool, prisma: PrismaClient): PictureChangeRows {
  return {
    find: (owner_id) => findPictureChanges(prisma, owner_id),
    claim: (limit, retry_ms) => claimPictureChanges(db, limit, retry_ms),
    complete: (change) => deletePictureChange(prisma, change),
  };
}

async function findPictureChanges(prisma: PrismaClient, owner_id: string): Promise<PictureChange[]> {
  const found = await prisma.pictureChange.findMany({
    where: { owner_id: BigInt(owner_id) },
    select: { guild_id: true, slot: true, hash: true, upload_id: true, version: true },
  });
  return found.map((change) => ({
    ...change,
    owner_id,
    guild_id: change.guild_id?.toString() ?? null,
    slot: change.slot as PictureChange['slot'], // the table has no other kinds
    version: Number(change.version), // microseconds since 1970, exactly
  }));
}

async function claimPictureChanges(db: Pool, limit: number, retry_ms: number): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'claim_picture_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT version AS due_version FROM picture_changes WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE picture_changes SET next_attempt_at = ${RETRY}
             FROM due WHERE version = due_version
        RETURNING owner_id, guild_id, slot, hash, upload_id, version::double precision AS version`,
    values: [limit, retry_ms],
  });
  return rows;
}

async function deletePictureChange(prisma: PrismaClient, { version }: PictureChange): Promise<void> {
  await prisma.pictureChange.deleteMany({ where: { version: BigInt(version) } });
}
