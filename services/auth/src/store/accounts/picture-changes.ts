import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { PictureChange, PictureChangeRows } from '@gatehouse/media-client/picture-changes';
import type { Upload } from '@gatehouse/proto/media';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';

type Slot = 'avatar' | 'banner';

/** SQL: when a replica may send the change again. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Queues a change for media, in the transaction that applies it and has locked the account. */
export async function queuePictureChange(
  tx: PoolClient,
  account_id: string,
  slot: Slot,
  upload: Upload | null,
): Promise<void> {
  await tx.query({
    name: 'queue_picture_change',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot, hash, upload_id)
           VALUES ($1, ${RETRY}, $3, $4, $5)`,
    values: [account_id, OUTBOX_RETRY_MS, slot, upload?.hash ?? null, upload?.id ?? null],
  });
}

/** Queues the removal of all pictures of accounts, in the transaction that has locked and deletes them. */
export async function queuePictureRemovals(tx: PoolClient, account_ids: readonly string[]): Promise<void> {
  await tx.query({
    name: 'queue_picture_removals',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot)
           SELECT id, ${RETRY}, slot
             FROM accounts, LATERAL (VALUES ('avatar', avatar), ('banner', banner)) AS had (slot, hash)
            WHERE id = ANY ($1::bigint[]) AND had.hash IS NOT NULL`,
    values: [account_ids, OUTBOX_RETRY_MS],
  });
}

/** The outbox of picture changes for media. */
export function pictureChangeRows(db: Pool, prisma: PrismaClient): PictureChangeRows {
  return {
    find: (owner_id) => findPictureChanges(prisma, owner_id),
    claim: (limit, retry_ms) => claimPictureChanges(db, limit, retry_ms),
    complete: (change) => deletePictureChange(prisma, change),
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
    slot: change.slot as Slot, // the table has no others
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

async function deletePictureChange(prisma: PrismaClient, { version }: PictureChange): Promise<void> {
  await prisma.pictureChange.deleteMany({ where: { version: BigInt(version) } });
}
