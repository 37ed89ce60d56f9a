import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';

/** A report of auth. */
export interface Suspension {
  readonly account_id: string;
  readonly suspended: boolean;
  /** Grows with each change of the account's suspension. */
  readonly version: number;
}

/** SQL: whether the creator of a webhook is suspended. */
export const CREATOR_SUSPENDED = `EXISTS (
    SELECT FROM suspended_accounts AS creator WHERE creator.account_id = webhooks.creator_id AND creator.suspended)`;

/**
 * SQL: the key of the lock on the suspension of account $1. Changes by token share it, and a report waits for them: none
 * is stored after the answer to the report.
 */
export const SUSPENSION_LOCK = `hashtextextended('suspension of account ' || $1::text, 0)`;

/**
 * Stores a report unless a newer one is stored. Returns the fence of a suspension (store/execution-fence.ts); undefined if
 * it refuses nothing.
 */
export function storeSuspension(
  db: Pool,
  { account_id, suspended, version }: Suspension,
): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    await tx.query({
      name: 'lock_suspension',
      text: `SELECT pg_advisory_xact_lock(${SUSPENSION_LOCK})`,
      values: [account_id],
    });
    const { rows } = await tx.query<{ value: string }>({
      name: 'store_suspension',
      text: `WITH report AS (
               INSERT INTO suspended_accounts AS known (account_id, version, suspended) VALUES ($1, $2, $3)
                   ON CONFLICT (account_id) DO UPDATE SET version = excluded.version, suspended = excluded.suspended
                WHERE known.version <= excluded.version
            RETURNING suspended)
             UPDATE execution_fence SET value = value + 1 WHERE (SELECT suspended FROM report) RETURNING value`,
      values: [account_id, version, suspended],
    });
    return rows[0] && Number(rows[0].value);
  });
}

/** A page of the guilds in which an account created webhooks, by ID. */
export async function findGuildsOfCreator(
  db: Pool,
  accountId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ guild_id: string }>({
    name: 'find_guilds_of_creator',
    text: `SELECT DISTINCT guild_id FROM webhooks WHERE creator_id = $1 AND guild_id > $2
            ORDER BY guild_id LIMIT $3`,
    values: [accountId, after, limit],
  });
  return rows.map(({ guild_id }) => guild_id);
}
