import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { OperatorAction } from '@gatehouse/kit/operator-form';
import type { Pool, PoolClient } from 'pg';
import { ADMIN_COLUMNS, type AdminRow } from './admin-applications.ts';
import { type BotDisablement, queueBotDisablement } from './bot-disablements.ts';

/** An application before and after a change, and what auth must receive. */
export interface DisablementChange {
  readonly before: AdminRow;
  readonly after: AdminRow;
  readonly bot: BotDisablement;
}

/**
 * Disables an application, and queues it for auth. If it is disabled, only operator and reason change. Undefined if there
 * is no such application.
 */
export function disableApplication(
  db: Pool,
  id: string,
  { operator, reason }: OperatorAction,
): Promise<DisablementChange | undefined> {
  return changeDisablement(db, id, {
    name: 'disable_application',
    text: `UPDATE applications
              SET disabled_at = coalesce(disabled_at, now()), disabled_by = $2, disabled_reason = $3,
                  disabled_version = CASE WHEN disabled_at IS NULL THEN ${NEXT_VERSION} ELSE disabled_version END
            WHERE id = $1 RETURNING ${CHANGED}`,
    values: [id, operator, reason],
  });
}

/** Enables an application, and queues it for auth. Undefined if there is no such application. */
export function enableApplication(db: Pool, id: string): Promise<DisablementChange | undefined> {
  return changeDisablement(db, id, {
    name: 'enable_application',
    text: `UPDATE applications
              SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL,
                  disabled_version = CASE WHEN disabled_at IS NULL THEN disabled_version ELSE ${NEXT_VERSION} END
            WHERE id = $1 RETURNING ${CHANGED}`,
    values: [id],
  });
}

/** SQL: a version that is higher than the last one, and than those before a backup. */
const NEXT_VERSION =
  'GREATEST(disabled_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';

/** Microseconds since 1970 are exact in a double. */
const CHANGED = `${ADMIN_COLUMNS}, disabled_version::double precision AS version`;

interface Change {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

function changeDisablement(db: Pool, id: string, change: Change): Promise<DisablementChange | undefined> {
  return inTransaction(db, async (tx) => {
    const before = await lockApplication(tx, id);
    const { rows } = await tx.query<AdminRow & { version: number }>({
      ...change,
      values: [...change.values],
    });
    const [changed] = rows;
    if (before === undefined || changed === undefined) return undefined;
    const { version, ...after } = changed;
    const bot = { application_id: id, disabled: after.disabled_at !== null, version };
    if (bot.disabled !== (before.disabled_at !== null)) await queueBotDisablement(tx, bot);
    return { before, after, bot };
  });
}

async function lockApplication(tx: PoolClient, id: string): Promise<AdminRow | undefined> {
  const { rows } = await tx.query<AdminRow>({
    name: 'lock_application_for_operator',
    text: `SELECT ${ADMIN_COLUMNS} FROM applications WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return rows[0];
}
