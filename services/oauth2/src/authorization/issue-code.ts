import { unauthorized } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import { credentialHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidClient } from '../errors.ts';
import { deleteCode, insertCode } from '../store/insert-code.ts';
import { userExists } from '../users.ts';
import type { Consent } from './consent.ts';

/**
 * Issues a code for a consent. If `install` or a check fails, the code is deleted before anybody has seen it. If the
 * user's authorization of the application is revoked meanwhile, the code is dead (docs/oauth2.md#revoked-codes). The
 * account may be deleted meanwhile, so the code is stored before auth confirms the account: a later deletion of the
 * account deletes the code too (docs/oauth2.md#consent-of-an-ending-account).
 *
 * @throws INVALID_CLIENT if the application is gone, UNAUTHORIZED if the account is gone; the errors of `install`
 */
export async function issueCode(
  { db, prisma, auth }: Pick<Deps, 'db' | 'prisma' | 'auth'>,
  { application, scopes, redirect_uri, challenge }: Consent,
  account_id: string,
  call: Call,
  /** The start of the request, on the clock of performance.now(). */
  begun_ms: number,
  install: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const code = newSecret();
  const code_hash = credentialHash(code);
  const application_id = application.id;
  const stored = { code_hash, application_id, account_id, scopes, redirect_uri, challenge };
  if (!(await insertCode(db, stored, begun_ms))) throw invalidClient();
  try {
    if (!(await userExists(auth, account_id, call))) throw unauthorized();
    await install();
  } catch (error) {
    await deleteCode(prisma, code_hash);
    throw error;
  }
  return code;
}
