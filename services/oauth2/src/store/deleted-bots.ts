import { OUTBOX_RETRY_MS, type OutboxRows } from '@gatehouse/kit/outbox';
import type { Pool, PoolClient } from 'pg';

/** A bot of a deleted application, to be deleted from auth and chat. The table is `ended_bots`. */
export interface DeletedBot {
  readonly application_id: string;
  readonly owner_id: string;
  /** Whether the application was deleted so long ago that no installation is still in progress. */
  readonly is_settled: boolean;
}

/** Longer than any installation. */
const SETTLED = "interval '1 minute'";

/** SQL: until then, no replica claims the bot again. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

/** Deletes applications that the transaction has locked, and queues the removal of their bots and icons. */
export async function deleteLockedApplications(
  tx: PoolClient,
  ids: readonly string[],
): Promise<readonly DeletedBot[]> {
  const { rows } = await tx.query<DeletedBot>({
    name: 'delete_locked_applications',
    text: `WITH gone AS (
             DELETE FROM applications WHERE id = ANY ($1::bigint[]) RETURNING id, owner_id, icon),
           queued AS (
             INSERT INTO picture_changes (application_id, next_attempt_at)
             SELECT id, ${RETRY} FROM gone WHERE icon IS NOT NULL)
           INSERT INTO ended_bots (application_id, owner_id, next_attempt_at)
           SELECT id, owner_id, ${RETRY} FROM gone
        RETURNING application_id, owner_id, false AS is_settled`,
    values: [ids, OUTBOX_RETRY_MS],
  });
  return rows;
}

/**
 * The queue of bots to be deleted. One that has settled is deleted once more, in case an installation finished late.
 */
export function deletedBotRows(db: Pool): OutboxRows<DeletedBot> {
  return {
    claim: (limit, retry_ms) => claimDeletedBots(db, limit, retry_ms),
    complete: (bot) => deleteOrPostpone(db, bot),
  };
}

async function claimDeletedBots(db: Pool, limit: number, retry_ms: number): Promise<DeletedBot[]> {
  const { rows } = await db.query<DeletedBot>({
    name: 'claim_deleted_bots',
    text: `WITH due AS MATERIALIZED (
             SELECT application_id FROM ended_bots WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE ended_bots SET next_attempt_at = ${RETRY}
             FROM due WHERE ended_bots.application_id = due.application_id
        RETURNING ended_bots.application_id, owner_id, ended_at <= now() - ${SETTLED} AS is_settled`,
    values: [limit, retry_ms],
  });
  return rows;
}

/** Deletes the row of a bot that has settled. Makes another one due once it has. */
async function deleteOrPostpone(db: Pool, { application_id, is_settled }: DeletedBot): Promise<void> {
  const statement = is_settled
    ? { name: 'forget_deleted_bot', text: 'DELETE FROM ended_bots WHERE application_id = $1' }
    : {
        name: 'postpone_deleted_bot',
        text: `UPDATE ended_bots SET next_attempt_at = ended_at + ${SETTLED} WHERE application_id = $1`,
      };
  await db.query({ ...statement, values: [application_id] });
}
