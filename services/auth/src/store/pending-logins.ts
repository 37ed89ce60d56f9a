import type { PoolClient } from 'pg';

/**
 * Ends all that could still become a session without the account's new password: logins that wait for
 * a second factor or a mail, and tokens that would set another password. In a transaction that has
 * changed the account's password or address before.
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
