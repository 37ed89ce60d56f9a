import type { Pool, PoolClient } from 'pg';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { countAttempt, deleteTicket, findTicket, insertTicket } from '../store/mfa/mfa-tickets.ts';

/** A ticket ends with success or with its fifth wrong code. */
const MAX_ATTEMPTS = 5;

/** Creates the ticket of a login that needs a second factor, in a transaction that has locked the account. */
export async function issueTicket(tx: PoolClient, account_id: string): Promise<string> {
  const ticket = newSecret();
  await insertTicket(tx, tokenHash(ticket), account_id);
  return ticket;
}

/** The account of a live ticket. It does not count an attempt. */
export function ticketAccount(db: Pool, ticket: string): Promise<string | undefined> {
  return findTicket(db, tokenHash(ticket), MAX_ATTEMPTS);
}

/** Counts an attempt, in the transaction that checks it. Returns false if the ticket cannot be used any more. */
export function countTicketAttempt(tx: PoolClient, ticket: string): Promise<boolean> {
  return countAttempt(tx, tokenHash(ticket), MAX_ATTEMPTS);
}

/**
 * Ends a ticket in the transaction that opens its session, after `lockAccount`. Returns false if it has already ended:
 * by a concurrent request, or by a new password.
 */
export function redeemTicket(tx: PoolClient, ticket: string): Promise<boolean> {
  return deleteTicket(tx, tokenHash(ticket));
}
