import { concurrency } from '@gatehouse/kit/concurrency';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Call } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { SecurityEvent } from '../audit-log/security-event.ts';
import type { Deps } from '../deps.ts';
import { invalidTicket, mfaHeld } from '../errors.ts';
import { type LoginProof, openSession, type SessionAnswer } from '../login/open-session.ts';
import { mailNotice } from '../mail/notice-mail.ts';
import type { Account } from '../store/account.ts';
import { lockAccount } from '../store/accounts.ts';
import { findMfaHold, insertMfaFailure, lockMfaAttempts } from '../store/mfa-failures.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import { attemptTicket, redeemTicket, ticketAccount } from './mfa-ticket.ts';

/** How a second factor was judged: what it proves, or what the trail tells of the failure. */
export type Judgement =
  | { readonly proof: LoginProof; readonly failure?: undefined }
  | { readonly failure: SecurityEvent['detail']; readonly proof?: undefined };

/** Judges a second factor, in a transaction that it may write to. */
export type Judge = (tx: PoolClient, account_id: string) => Promise<Judgement>;

/** Finishes the login of a ticket by what is judged; undefined when that is wrong. */
export type MfaAttempt = (ticket: string, call: Call, judge: Judge) => Promise<SessionAnswer | undefined>;

/** Attempts wait for each other while they hold a connection to the database: most of them stay for others. */
const TURNS = { at_once: 2, max_waiting: 200 };

/**
 * Makes what finishes logins by a second factor; one for a process, as its attempts take turns. The factors of an
 * account are judged one after the other, whatever their tickets and addresses and at whichever replica, so that
 * none is judged past the budget of wrong ones. What is wrong stays counted, in one transaction with its judgement.
 *
 * @throws INVALID_FORM_BODY when the ticket cannot be used, RATE_LIMITED while the account's logins are held:
 *   ticket and factor are then as good as before
 */
export function mfaAttempts(deps: Deps): MfaAttempt {
  const inTurn = concurrency(TURNS);
  return async (ticket, { caller, signal }, judge) => {
    const account_id = await ticketAccount(deps.db, ticket);
    if (account_id === undefined) throw invalidTicket();
    await refuseHeld(deps.db, account_id); // before it waits for others
    const session = await inTurn(() => attempt(deps, { account_id, ticket, caller }, judge), signal);
    deps.mail.kick();
    return session;
  };
}

interface Attempt {
  readonly account_id: string;
  readonly ticket: string;
  readonly caller: Caller;
}

function attempt(
  deps: Deps,
  { account_id, ticket, caller }: Attempt,
  judge: Judge,
): Promise<SessionAnswer | undefined> {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockAccount(tx, account_id);
    if (locked === undefined) throw invalidTicket();
    await lockMfaAttempts(tx, account_id);
    await refuseHeld(tx, account_id);
    if (!(await attemptTicket(tx, ticket))) throw invalidTicket();

    const { proof, failure } = await judge(tx, account_id);
    if (proof === undefined) {
      await countFailure(tx, deps, locked.account, caller, failure);
      return undefined;
    }
    // Thrown, it gives the factor back.
    if (!(await redeemTicket(tx, ticket))) throw invalidTicket();
    return openSession(tx, deps, locked.account, caller, proof);
  });
}

async function refuseHeld(db: Deps['db'] | PoolClient, account_id: string): Promise<void> {
  const left_ms = await findMfaHold(db, account_id);
  if (left_ms !== undefined) throw mfaHeld(left_ms);
}

async function countFailure(
  tx: PoolClient,
  deps: Deps,
  account: Account,
  caller: Caller,
  detail: SecurityEvent['detail'] = {},
): Promise<void> {
  const { id: account_id } = account;
  await insertSecurityEvent(tx, deps.ids(), { kind: 'login.mfa_failed', account_id, caller, detail });
  if (!(await insertMfaFailure(tx, account_id))) return;
  await insertSecurityEvent(tx, deps.ids(), { kind: 'login.mfa_held', account_id, caller });
  await mailNotice(tx, deps, account, { template: 'mfa-held' }, caller);
}
