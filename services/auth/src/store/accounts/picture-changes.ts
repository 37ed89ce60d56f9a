import type { PictureChange, PictureChangeRows } from '@gatehouse/media-client/picture-changes';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';

/** A change before its version is assigned. */
export type NewPictureChange = Omit<PictureChange, 'version' | 'slot'> & {
  readonly slot: 'avatar' | 'banner';
};

/** SQL: until then, no replica sends the change again. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Queues a change in the transaction that makes it and has locked the account. */
export async function notePictureChange(
  tx: PoolClient,
  change: NewPictureChange,
  retry_ms: number,
): Promise<void> {
  const { owner_id, slot, hash, upload_id } = change;
  await tx.query({
    name: 'note_picture_change',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot, hash, upload_id)
           VALUES ($1, ${RETRY}, $3, $4, $5)`,
    values: [owner_id, retry_ms, slot, hash, upload_id],
  });
}

/** Queues the removal of all pictures of accounts that the transaction has locked and deletes. */
export async function notePicturesGone(
  tx: PoolClient,
  account_ids: readonly string[],
  retry_ms: number,
): Promise<void> {
  await tx.query({
    name: 'note_pictures_gone',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot)
           SELECT id, ${RETRY}, slot
             FROM accounts, LATERAL (VALUES ('avatar', avatar), ('banner', banner)) AS had (slot, hash)
            WHERE id = ANY ($1::bigint[]) AND had.hash IS NOT NULL`,
    values: [account_ids, retry_ms],
  });
}

/** The outbox of picture changes for media. */
export function pictureChangeRows(db: Pool, prisma: PrismaClient): PictureChangeRows {
  return {
    find: (owner_id) => findPictureChanges(prisma, owner_id),
    claim: (limit, retry_ms) => claimPictureChanges(db, limit, retry_ms),
    forget: (change) => forgetPictureChange(prisma, change),
  };
}

async function findPictureChanges(prisma: PrismaClient, owner_id: string): Promise<PictureChange[]> {
  const found = await prisma.pictureChange.findMany({
    where: { account_id: BigInt(owner_id) },
    select: { slot: true, hash: true, upload_id: true, version: true },
  });
  return found.map((change) => ({
    ...change,
    owner_id,
    slot: change.slot as NewPictureChange['slot'], // the table has no others
    version: Number(change.version), // microseconds since 1970: exact
  }));
}

async function claimPictureChanges(db: Pool, limit: number, retry_ms: number): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'claim_picture_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT version FROM picture_changes WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE picture_changes AS change SET next_attempt_at = ${RETRY}
             FROM due WHERE change.version = due.version
        RETURNING account_id AS owner_id, slot, hash, upload_id, change.version::double precision AS version`,
    values: [limit, retry_ms],
  });
  return rows;
}

async function forgetPictureChange(prisma: PrismaClient, { version }: PictureChange): Promise<void> {
  await prisma.pictureChange.deleteMany({ where: { version: BigInt(version) } });
}
