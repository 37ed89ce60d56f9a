import { unauthorized } from '@gatehouse/kit/fault';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { requireSession } from '../caller.ts';
import { lockSession } from '../store/sessions/sessions.ts';

/**
 * Requires that the caller's session has not ended since the edge identified it, and locks it until the transaction
 * ends. The transaction must have locked the account's row before.
 *
 * @throws UNAUTHORIZED
 */
export async function requireLiveSession(tx: PoolClient, caller: Caller): Promise<void> {
  const { account_id, session_id } = requireSession(caller);
  if (!(await lockSession(tx, session_id, account_id))) throw unauthorized();
}
