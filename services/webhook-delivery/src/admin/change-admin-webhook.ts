import { inTransaction } from '@gatehouse/kit/db/transaction';
import { type OperatorAction, readOperatorAction } from '@gatehouse/kit/operator-form';
import type { Pool, PoolClient } from 'pg';
import { noSuchWebhook } from '../errors.ts';
import { type AdminWebhookRow, lockAdminWebhook } from '../store/admin-webhooks.ts';
import { requireId } from '../webhooks/credential.ts';

interface ChangeRequest extends OperatorAction {
  readonly webhook_id: string;
}

/** The webhook before and after, and what else the change returned. */
export interface AdminChange<T> {
  readonly before: AdminWebhookRow;
  readonly after: AdminWebhookRow;
  readonly result: T;
}

/**
 * Changes a webhook for an operator, with its row locked.
 *
 * @throws INVALID_FORM_BODY; UNKNOWN_WEBHOOK
 */
export async function changeAdminWebhook<T>(
  db: Pool,
  { webhook_id, operator, reason }: ChangeRequest,
  change: (
    tx: PoolClient,
    action: OperatorAction,
  ) => Promise<{ row: AdminWebhookRow | undefined; result: T }>,
): Promise<AdminChange<T>> {
  requireId('webhook_id', webhook_id);
  const action = readOperatorAction({ operator, reason });
  return inTransaction(db, async (tx) => {
    const before = await lockAdminWebhook(tx, webhook_id);
    if (before === undefined) throw noSuchWebhook();
    const { row, result } = await change(tx, action);
    if (row === undefined) throw new Error('a locked webhook was gone');
    return { before, after: row, result };
  });
}
