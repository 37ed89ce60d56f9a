import type { PictureChange, PictureChangeRows } from '@gatehouse/media-client/picture-changes';
import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** The outbox of changes of icons for media. Statements that change an application write its rows. */
export function pictureChangeRows(db: Pool, prisma: PrismaClient): PictureChangeRows {
  return {
    find: (application_id) => findPictureChanges(prisma, application_id),
    claim: (limit, retry_ms) => claimPictureChanges(db, limit, retry_ms),
    complete: (change) => deletePictureChange(prisma, change),
  };
}

async function findPictureChanges(prisma: PrismaClient, application_id: string): Promise<PictureChange[]> {
  const found = await prisma.pictureChange.findMany({
    where: { application_id: BigInt(application_id) },
    select: { hash: true, upload_id: true, version: true },
  });
  return found.map((change) => ({
    ...change,
    owner_id: application_id,
    slot: 'icon',
    version: Number(change.version), // microseconds since 1970: exact
  }));
}

async function claimPictureChanges(db: Pool, limit: number, retry_ms: number): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'claim_picture_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT version FROM picture_changes WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE picture_changes AS change
              SET next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE change.version = due.version
        RETURNING application_id AS owner_id, 'icon' AS slot, hash, upload_id,
                  change.version::double precision AS version`,
    values: [limit, retry_ms],
  });
  return rows;
}

async function deletePictureChange(prisma: PrismaClient, { version }: PictureChange): Promise<void> {
  await prisma.pictureChange.deleteMany({ where: { version: BigInt(version) } });
}
