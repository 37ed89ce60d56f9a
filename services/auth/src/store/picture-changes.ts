import type { Pool, PoolClient } from 'pg';

/** A change of a picture that media is to be told of. */
export interface PictureChange {
  readonly account_id: string;
  readonly slot: 'avatar' | 'banner';
  /** Null: there is none now. */
  readonly hash: string | null;
  readonly upload_id: string | null;
  readonly version: number;
}

const COLUMNS = 'account_id, slot, hash, upload_id, version::double precision AS version';
/** SQL: nobody else sends it for so long. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Notes a change within the transaction that makes it and holds the account. */
export async function notePictureChange(
  tx: PoolClient,
  change: Omit<PictureChange, 'version'>,
  retry_ms: number,
): Promise<void> {
  const { account_id, slot, hash, upload_id } = change;
  // What was stored here before is not to be handed over any more.
  await tx.query({
    name: 'forget_old_picture',
    text: 'DELETE FROM pictures WHERE account_id = $1 AND kind = $2',
    values: [account_id, slot],
  });
  await tx.query({
    name: 'note_picture_change',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot, hash, upload_id)
           VALUES ($1, ${RETRY}, $3, $4, $5)`,
    values: [account_id, retry_ms, slot, hash, upload_id],
  });
}

/** Notes that an account that is to be deleted, and is held, has no pictures any more. */
export async function notePicturesGone(tx: PoolClient, account_id: string, retry_ms: number): Promise<void> {
  // Before the versions are drawn: a hand-over either has drawn a lower one, or finds nothing to hand over.
  await tx.query({
    name: 'forget_old_pictures',
    text: 'DELETE FROM pictures WHERE account_id = $1',
    values: [account_id],
  });
  await tx.query({
    name: 'note_pictures_gone',
    text: `INSERT INTO picture_changes (account_id, next_attempt_at, slot)
           SELECT id, ${RETRY}, slot
             FROM accounts, LATERAL (VALUES ('avatar', avatar), ('banner', banner)) AS had (slot, hash)
            WHERE id = $1 AND had.hash IS NOT NULL`,
    values: [account_id, retry_ms],
  });
}

/** Those of one account. */
export async function findPictureChanges(db: Pool, account_id: string): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'find_picture_changes',
    text: `SELECT ${COLUMNS} FROM picture_changes WHERE account_id = $1`,
    values: [account_id],
  });
  return rows;
}

/** Takes changes that are due, the longest waiting first; nobody else does for `retry_ms`. */
export async function claimPictureChanges(
  db: Pool,
  limit: number,
  retry_ms: number,
): Promise<PictureChange[]> {
  const { rows } = await db.query<PictureChange>({
    name: 'claim_picture_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT version FROM picture_changes WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE picture_changes AS change SET next_attempt_at = ${RETRY}
             FROM due WHERE change.version = due.version
        RETURNING account_id, slot, hash, upload_id, change.version::double precision AS version`,
    values: [limit, retry_ms],
  });
  return rows;
}

/** Media knows of it. */
export async function forgetPictureChange(db: Pool, { version }: PictureChange): Promise<void> {
  await db.query({
    name: 'forget_picture_change',
    text: 'DELETE FROM picture_changes WHERE version = $1',
    values: [version],
  });
}
