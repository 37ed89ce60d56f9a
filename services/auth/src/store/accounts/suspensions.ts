import type { OperatorAction } from '@gatehouse/kit/operator-form';
import type { PoolClient } from 'pg';

/**
 * Locks an account and its bots, so that no session is opened, no bot is created, and no other suspension of one of them
 * runs until the transaction ends. The owner of a bot is locked first, then the account, then its bots in the order of
 * their IDs.
 *
 * @returns the bots: those of the account, and the account itself if it is one
 */
export async function lockForSuspension(tx: PoolClient, account_id: string): Promise<string[]> {
  await tx.query({
    name: 'lock_owner_of_bot',
    text: `SELECT FROM accounts WHERE id = (SELECT owner_id FROM bot_tokens WHERE application_id = $1)
              FOR NO KEY UPDATE`,
    values: [account_id],
  });
  await tx.query({
    name: 'lock_account_for_suspension',
    text: 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    values: [account_id],
  });
  const { rows } = await tx.query<{ id: string }>({
    name: 'lock_bots_for_suspension',
    text: `SELECT id FROM accounts
            WHERE id IN (SELECT application_id FROM bot_tokens WHERE owner_id = $1 OR application_id = $1)
            ORDER BY id FOR NO KEY UPDATE`,
    values: [account_id],
  });
  return rows.map(({ id }) => id);
}

/** Suspends a locked account that is not suspended. */
export async function suspendAccount(
  tx: PoolClient,
  account_id: string,
  { operator, reason }: OperatorAction,
): Promise<void> {
  await tx.query({
    name: 'suspend_account',
    text: `UPDATE accounts
              SET suspended_at = now(), suspended_by = $2, suspension_reason = $3
            WHERE id = $1`,
    values: [account_id, operator, reason],
  });
}

/** Ends the suspension of a locked account. */
export async function restoreAccount(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'restore_account',
    text: `UPDATE accounts SET suspended_at = NULL, suspended_by = NULL, suspension_reason = NULL WHERE id = $1`,
    values: [account_id],
  });
}
