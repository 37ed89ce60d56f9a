import { unauthorized } from '@gatehouse/kit/fault';
import type { Pool, PoolClient } from 'pg';
import { newSecret, secretHash } from '../secrets.ts';
import { insertEndedAction } from '../store/actions.ts';
import { findOperator } from '../store/operators.ts';
import { insertSession } from '../store/sessions.ts';

/** How an operator signed in, for the log. */
export type SignInBy = 'password' | 'passkey' | 'link';

/** Who signs in, and from where. */
export interface Opening {
  readonly operator: string;
  readonly ip: string;
}

/**
 * Opens a session, with a line in the operators' log. Returns its token.
 *
 * @throws UNAUTHORIZED if the operator is gone
 */
export async function openSession(
  db: Pool | PoolClient,
  { operator, ip }: Opening,
  by: SignInBy,
): Promise<string> {
  const found = await findOperator(db, operator);
  if (found === undefined) throw unauthorized();
  const token = newSecret();
  await insertSession(db, { token_hash: secretHash(token), operator, ip, enrolling: false });
  await insertEndedAction(db, {
    operator,
    role: found.role,
    ip,
    action: 'operator.sign-in',
    target: `operator:${operator}`,
    reason: '',
    outcome: 'done',
    detail: { by },
  });
  return token;
}
