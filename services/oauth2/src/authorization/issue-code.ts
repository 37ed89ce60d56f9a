import { unauthorized } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import { credentialHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidClient } from '../errors.ts';
import { deleteCode, insertCode } from '../store/insert-code.ts';
import { userExists } from '../users.ts';
import type { Consent } from './consent.ts';

/**
 * Issues a code for what an account consents to. If `install` or a check fails, it is deleted; nobody has seen it then.
 *
 * What the user grants to the application may be revoked meanwhile: the code is dead then (docs/oauth2.md#revoked-codes).
 * The account may end meanwhile, so auth is asked after the code is stored: an account that is there ends later, and its
 * end finds the code (docs/oauth2.md#consent-of-an-ending-account).
 *
 * @throws INVALID_CLIENT if the application is gone by now, UNAUTHORIZED if the account is; what `install` throws
 */
export async function issueCode(
  { db, prisma, auth }: Pick<Deps, 'db' | 'prisma' | 'auth'>,
  { application, scopes, redirect_uri, challenge }: Consent,
  account_id: string,
  call: Call,
  /** When the request came, in milliseconds of performance.now(). */
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
