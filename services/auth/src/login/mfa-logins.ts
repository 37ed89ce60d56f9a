import { inTransaction } from '@gatehouse/kit/db/transaction';
import { concurrency } from '@gatehouse/kit/queues/concurrency';
import type { Call } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { invalidTicket, mfaBlocked } from '../errors.ts';
import { mailNotice } from '../mail/notice-mail.ts';
import { countTicketAttempt, redeemTicket, ticketAccount } from '../mfa/mfa-ticket.ts';
import { queueOptions } from '../queue-options.ts';
import type { Account } from '../store/accounts/account.ts';
import { lockAccount } from '../store/accounts/accounts.ts';
import type { SecurityEvent } from '../store/events/security-event.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { findMfaBlock, insertMfaFailure } from '../store/mfa/mfa-failures.ts';
import { type LoginProof, openSession, type SessionResponse } from './open-session.ts';

/** The result of checking a second factor: the proof, or the failure's detail for the audit log. */
export type CheckResult =
  | { readonly proof: LoginProof; readonly failure?: undefined }
  | { readonly failure: SecurityEvent['detail']; readonly proof?: undefined };

/** Checks a second factor, in a transaction that it may write to. */
export type FactorCheck = (tx: PoolClient, account_id: string) => Promise<CheckResult>;

/**
 * An attempt that waits for others of its account holds a database connection. The limit keeps most connections free.
 */
const LIMITS = { at_once: 2, max_waiting: 200, max_waiting_per_origin: 100 };

/**
 * Finishes logins with a second factor. A process has one, because it limits concurrency. The attempts of an account
 * run one at a time, over all tickets, addresses and replicas (`lockAccount`), so that none is checked after too many
 * wrong ones. A failure is counted in the transaction of its check.
 */
export class MfaLogins {
  readonly #deps: Deps;
  readonly #inTurn = concurrency(LIMITS);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Finishes the login of a ticket if `check` succeeds. Returns undefined if it does not.
   *
   * @throws INVALID_FORM_BODY if the ticket cannot be used; RATE_LIMITED while the account's logins are blocked,
   * without using up ticket or factor
   */
  async finish(ticket: string, call: Call, check: FactorCheck): Promise<SessionResponse | undefined> {
    const { caller, signal } = call;
    const account_id = await ticketAccount(this.#deps.db, ticket);
    if (account_id === undefined) throw invalidTicket();
    await refuseBlocked(this.#deps.db, account_id); // before waiting for other attempts
    const session = await this.#inTurn(
      () => attemptLogin(this.#deps, { account_id, ticket, caller }, check),
      signal,
      queueOptions(call),
    );
    this.#deps.mail.wake();
    return session;
  }
}

interface Attempt {
  readonly account_id: string;
  readonly ticket: string;
  readonly caller: Caller;
}

function attemptLogin(
  deps: Deps,
  { account_id, ticket, caller }: Attempt,
  check: FactorCheck,
): Promise<SessionResponse | undefined> {
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockAccount(tx, account_id);
    if (locked === undefined) throw invalidTicket();
    await refuseBlocked(tx, account_id);
    if (!(await countTicketAttempt(tx, ticket))) throw invalidTicket();

    const { proof, failure } = await check(tx, account_id);
    if (proof === undefined) {
      await countFailure(tx, deps, locked.account, caller, failure);
      return undefined;
    }
    // Throwing rolls back the use of the factor.
    if (!(await redeemTicket(tx, ticket))) throw invalidTicket();
    return openSession(tx, deps, locked.account, caller, proof);
  });
}

async function refuseBlocked(db: Deps['db'] | PoolClient, account_id: string): Promise<void> {
  const left_ms = await findMfaBlock(db, account_id);
  if (left_ms !== undefined) throw mfaBlocked(left_ms);
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
