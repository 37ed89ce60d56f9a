import { OUTBOX_RETRY_MS, type OutboxRows } from '@gatehouse/kit/outbox';
import type { Pool, PoolClient } from 'pg';

/** A service that refuses credentials of suspended accounts. */
export type SuspensionReader = 'oauth2' | 'webhook-delivery';

/** A suspension or restoration that a service has not confirmed. */
export interface SuspensionChange {
  readonly account_id: string;
  readonly service: SuspensionReader;
  readonly suspended: boolean;
  /** That of a later change of the account is higher. */
  readonly version: number;
}

/** How long one attempt owns a claimed change: longer than it may take (accounts/suspension-outbox.ts). */
const CLAIM_MS = 11_000;

/** SQL: when a replica may send the change again. */
const RETRY = "now() + $2::double precision * interval '1 millisecond'";

const COLUMNS = 'account_id, service, suspended, version::double precision AS version';

/**
 * Queues whether an account and its bots are suspended now, in the transaction that has locked them
 * (`lockForSuspension`) and changed the account. A bot is suspended with its owner; oauth2 knows whose it is. The
 * version is no lower than the clock in microseconds, so that it grows even if the database comes back from a backup.
 */
export async function queueSuspensionChanges(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'queue_suspension_changes',
    text: `WITH changed AS (
             SELECT account.id, account.bot, account.suspension_version,
                    account.suspended_at IS NOT NULL OR owner.suspended_at IS NOT NULL AS suspended
               FROM accounts AS account
               LEFT JOIN bot_tokens ON application_id = account.id
               LEFT JOIN accounts AS owner ON owner.id = owner_id
              WHERE account.id = $1 OR account.id IN (SELECT application_id FROM bot_tokens WHERE owner_id = $1)
           ), new AS (
             SELECT greatest(max(suspension_version) + 1,
                             (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS version
               FROM changed
           ), versioned AS (
             UPDATE accounts SET suspension_version = version FROM changed, new WHERE accounts.id = changed.id
           )
           INSERT INTO suspension_changes (account_id, service, suspended, version, next_attempt_at)
           SELECT id, service, suspended, version, ${RETRY}
             FROM changed, new, (VALUES ('oauth2'), ('webhook-delivery')) AS reader (service)
            WHERE NOT bot OR service = 'webhook-delivery'
           ON CONFLICT (account_id, service) DO UPDATE
             SET suspended = excluded.suspended, version = excluded.version,
                 next_attempt_at = excluded.next_attempt_at`,
    values: [account_id, OUTBOX_RETRY_MS],
  });
}

/** Whether a change of an account or its bots is unconfirmed. */
export async function hasSuspensionChanges(tx: PoolClient, account_id: string): Promise<boolean> {
  return (await findSuspensionChanges(tx, account_id)).length > 0;
}

/** The unconfirmed changes of an account and its bots. */
export async function findSuspensionChanges(
  db: Pool | PoolClient,
  account_id: string,
): Promise<SuspensionChange[]> {
  const { rows } = await db.query<SuspensionChange>({
    name: 'find_suspension_changes',
    text: `SELECT ${COLUMNS} FROM suspension_changes
            WHERE account_id = $1 OR account_id IN (SELECT application_id FROM bot_tokens WHERE owner_id = $1)
            ORDER BY service, account_id`,
    values: [account_id],
  });
  return rows;
}

/** The outbox of suspensions. */
export function suspensionChangeRows(db: Pool): OutboxRows<SuspensionChange> {
  return {
    claim: (limit) => claimSuspensionChanges(db, limit),
    complete: (change) => deleteSuspensionChange(db, change),
  };
}

async function claimSuspensionChanges(db: Pool, limit: number): Promise<SuspensionChange[]> {
  const { rows } = await db.query<SuspensionChange>({
    name: 'claim_suspension_changes',
    text: `WITH due AS MATERIALIZED (
             SELECT account_id AS due_account, service AS due_service FROM suspension_changes
              WHERE next_attempt_at <= now() ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           UPDATE suspension_changes SET next_attempt_at = ${RETRY}
             FROM due WHERE account_id = due_account AND service = due_service
        RETURNING ${COLUMNS}`,
    values: [limit, CLAIM_MS],
  });
  return rows;
}

/** Deletes a confirmed change, unless a later one has taken its place. */
async function deleteSuspensionChange(
  db: Pool,
  { account_id, service, version }: SuspensionChange,
): Promise<void> {
  await db.query({
    name: 'delete_suspension_change',
    text: 'DELETE FROM suspension_changes WHERE account_id = $1 AND service = $2 AND version <= $3',
    values: [account_id, service, version],
  });
}
