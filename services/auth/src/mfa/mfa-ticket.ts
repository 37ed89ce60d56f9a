import type { Pool, PoolClient } from 'pg';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { countAttempt, deleteTicket, findTicket, insertTicket } from '../store/mfa-tickets.ts';

/** A ticket ends with success or with the fifth wrong code. */
const MAX_ATTEMPTS = 5;

/** Makes the ticket of a login that lacks its second factor, in a transaction that holds the account. */
export async function issueTicket(tx: PoolClient, account_id: string): Promise<string> {
  const ticket = newSecret();
  await insertTicket(tx, tokenHash(ticket), account_id);
  return ticket;
}

/** The account of a ticket that can still be used; counts nothing. */
export function ticketAccount(db: Pool, ticket: string): Promise<string | undefined> {
  return findTicket(db, tokenHash(ticket), MAX_ATTEMPTS);
}

/** Counts an attempt, in the transaction that judges it; false when the ticket cannot be used any more. */
export function attemptTicket(tx: PoolClient, ticket: string): Promise<boolean> {
  return countAttempt(tx, tokenHash(ticket), MAX_ATTEMPTS);
}

/**
 * Ends a ticket, in the transaction that opens its session, after `lockAccount`; false when it has ended:
 * somebody else was first, or a new password ended it.
 */
export function redeemTicket(tx: PoolClient, ticket: string): Promise<boolean> {
  return deleteTicket(tx, tokenHash(ticket));
}
