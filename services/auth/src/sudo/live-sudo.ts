import { type Fault, unauthorized } from '@gatehouse/kit/fault';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { requireLiveSession } from '../sessions/live-session.ts';
import { hasSamePassword } from '../store/accounts/account.ts';
import { findSudoState, type SudoState } from '../store/sessions/sudo-grants.ts';
import { missingProof, requireSudoState, type Sudo, sudoMethods } from './sudo.ts';

/**
 * Checks the result of `requireSudo` again, in a transaction that has locked the account: the session is live; without a
 * proof, the grant is live; after a proof by password, the password has not changed and the account has no new second
 * factor. A change of these is either visible here or comes after this transaction.
 *
 * @throws UNAUTHORIZED, SUDO_MODE_REQUIRED
 */
export async function requireLiveSudo(tx: PoolClient, sudo: Sudo, caller: Caller): Promise<void> {
  await requireLiveSession(tx, caller);
  const { account_id, session_id } = requireSession(caller);
  const now = await findSudoState(tx, account_id, session_id);
  if (now === undefined) throw unauthorized(); // unreachable: the session is locked
  if (!stillHolds(sudo, now)) throw missingProof(now);
}

function stillHolds({ proofs, state }: Sudo, now: SudoState): boolean {
  if (proofs.length === 0) return now.granted;
  return !proofs.includes('password') || (sudoMethods(now).password && hasSamePassword(now, state));
}

/**
 * The error for a request if the password of its account has changed since the proof.
 *
 * @throws UNAUTHORIZED if the session has ended
 */
export async function outdatedProof(deps: Pick<Deps, 'db'>, caller: Caller): Promise<Fault> {
  return missingProof(await requireSudoState(deps, caller));
}
