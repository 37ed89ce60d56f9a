import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';
import { queuePictureRemovals } from './picture-changes.ts';

/** Locks an account exclusively. Returns the time of its password, or undefined if the account is gone. */
export async function lockForDeletion(
  tx: PoolClient,
  id: string,
): Promise<{ readonly password_changed_at: Date | null } | undefined> {
  const { rows } = await tx.query<{ password_changed_at: Date | null }>({
    name: 'lock_account_for_deletion',
    text: 'SELECT password_changed_at FROM accounts WHERE id = $1 FOR UPDATE',
    values: [id],
  });
  return rows[0];
}

/**
 * Deletes a locked account and its bots, with their sessions and all other rows, and queues the deletion of their data
 * at oauth2 and media.
 */
export async function deleteAccount(tx: PoolClient, id: string): Promise<void> {
  const { rows: bots } = await tx.query<{ id: string }>({
    name: 'lock_bots_of_account',
    text: `SELECT accounts.id FROM accounts JOIN bot_tokens ON application_id = accounts.id
            WHERE owner_id = $1 ORDER BY accounts.id FOR UPDATE OF accounts`,
    values: [id],
  });
  const ids = [...bots.map((bot) => bot.id), id];
  await queuePictureRemovals(tx, ids);
  await tx.query({
    name: 'delete_accounts',
    text: 'DELETE FROM accounts WHERE id = ANY ($1::bigint[])',
    values: [ids],
  });
  await tx.query({
    name: 'insert_deleted_account',
    text: `INSERT INTO deleted_accounts (id, next_attempt_at)
           VALUES ($1, now() + $2::double precision * interval '1 millisecond')`,
    values: [id, OUTBOX_RETRY_MS],
  });
}

/** Claims the longest waiting accounts that oauth2 has not deleted yet. Each is due again after `retry_ms`. */
export async function claimDeletedAccounts(db: Pool, limit: number, retry_ms: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'claim_deleted_accounts',
    text: `WITH due AS MATERIALIZED (
             SELECT id FROM deleted_accounts WHERE next_attempt_at <= now()
              ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE deleted_accounts
              SET next_attempt_at = now() + $2::double precision * interval '1 millisecond'
             FROM due WHERE deleted_accounts.id = due.id
        RETURNING deleted_accounts.id`,
    values: [limit, retry_ms],
  });
  return rows.map(({ id }) => id);
}

/** Deletes the row once oauth2 has deleted the account. */
export async function deleteDeletedAccountRow(prisma: PrismaClient, id: string): Promise<void> {
  await prisma.deletedAccount.deleteMany({ where: { id: BigInt(id) } });
}
