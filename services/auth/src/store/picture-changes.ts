import type { PictureChange, PictureNotes } from '@gatehouse/media-client/picture-changes';
import type { Pool, PoolClient } from 'pg';

/** What an account has, before its version is drawn. */
export type NewPictureChange = Omit<PictureChange, 'version' | 'slot'> & {
  readonly slot: 'avatar' | 'banner';
};

const COLUMNS = 'account_id AS owner_id, slot, hash, upload_id, version::double precision AS version';
/** SQL: nobody else sends it for so long. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Notes a change within the transaction that makes it and holds the account. */
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

/** Notes that accounts that are to be deleted, and are held, have no pictures any more. */
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

/** The notes, for who tells media of them. */
export function pictureNotes(db: Pool): PictureNotes {
  return {
    find: (owner_id) => findPictureChanges(db, owner_id),
    claim: (limit, retry_ms) => claimPictureChanges(db, limit, retry_ms),
    forget: (change) => forgetPictureChange(db, change),
  };
}

async function findPictureChanges(db: Pool, owner_id: string): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'find_picture_changes',
    text: `SELECT ${COLUMNS} FROM picture_changes WHERE account_id = $1`,
    values: [owner_id],
  });
  return rows;
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

async function forgetPictureChange(db: Pool, { version }: PictureChange): Promise<void> {
  await db.query({
    name: 'forget_picture_change',
    text: 'DELETE FROM picture_changes WHERE version = $1',
    values: [version],
  });
}
