import type { Fault } from '@gatehouse/kit/fault';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { accountSuspended } from '../errors.ts';
import type { Account } from '../store/accounts/account.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import type { LoginProof } from './open-session.ts';

/** Adds the right login of a suspended account to the audit log, and returns its refusal. Throw it after the commit. */
export async function noteSuspended(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { id: account_id }: Account,
  caller: Caller,
  proof: LoginProof,
): Promise<Fault> {
  const detail = { proof, suspended: true };
  await insertSecurityEvent(tx, ids(), { kind: 'login.failed', account_id, caller, detail });
  return accountSuspended();
}
