import type { Pool, PoolClient } from 'pg';

/** Inserts a ticket for five minutes, in a transaction that has locked the account. */
export async function insertTicket(tx: PoolClient, ticket_hash: string, account_id: string): Promise<void> {
  await tx.query({
    name: 'insert_mfa_ticket',
    text: `INSERT INTO mfa_tickets (ticket_hash, account_id, expires_at)
           VALUES (decode($1, 'hex'), $2, now() + interval '5 minutes')`,
    values: [ticket_hash, account_id],
  });
}

/** The account of a live ticket with attempts left. */
export async function findTicket(db: Pool, ticket_hash: string, max: number): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find_mfa_ticket',
    text: `SELECT account_id FROM mfa_tickets
            WHERE ticket_hash = decode($1, 'hex') AND expires_at > now() AND attempts < $2`,
    values: [ticket_hash, max],
  });
  return rows[0]?.account_id;
}

/** Counts an attempt. Returns false if the ticket has none left. */
export async function countAttempt(tx: PoolClient, ticket_hash: string, max: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'count_mfa_ticket_attempt',
    text: `UPDATE mfa_tickets SET attempts = attempts + 1
            WHERE ticket_hash = decode($1, 'hex') AND expires_at > now() AND attempts < $2`,
    values: [ticket_hash, max],
  });
  return rowCount === 1;
}

/** Ends a ticket. Returns false if it has already ended. Its attempt was counted before, and may be the last one. */
export async function deleteTicket(tx: PoolClient, ticket_hash: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete_mfa_ticket',
    text: "DELETE FROM mfa_tickets WHERE ticket_hash = decode($1, 'hex') AND expires_at > now()",
    values: [ticket_hash],
  });
  return rowCount === 1;
}
