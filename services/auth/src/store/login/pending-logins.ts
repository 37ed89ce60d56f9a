import type { PoolClient } from 'pg';

/**
 * Ends everything that could still become a session without the account's new password: multi-factor tickets, held
 * logins and password reset tokens. The transaction must already have locked the account exclusively, such as by a change
 * of its password.
 */
export async function endPendingLogins(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'end_pending_logins',
    text: `WITH tickets AS (DELETE FROM mfa_tickets WHERE account_id = $1),
                holds AS (DELETE FROM held_logins WHERE account_id = $1)
           DELETE FROM mail_tokens WHERE account_id = $1 AND purpose = 'reset_password'`,
    values: [account_id],
  });
}

/** Ends the multi-factor tickets and held logins of an account, in a transaction that has locked it exclusively. */
export async function endUnfinishedLogins(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'end_unfinished_logins',
    text: `WITH tickets AS (DELETE FROM mfa_tickets WHERE account_id = $1)
           DELETE FROM held_logins WHERE account_id = $1`,
    values: [account_id],
  });
}
