import { credentialHash, newSecret } from '../credentials.ts';
import type { Deps } from '../deps.ts';
import { invalidClient } from '../errors.ts';
import { insertCode } from '../store/insert-code.ts';
import type { Consent } from './consent.ts';

/** Issues a code for what an account consents to. @throws INVALID_CLIENT if the application is gone by now */
export async function issueCode(
  { db }: Pick<Deps, 'db'>,
  { application, scopes, redirect_uri, challenge }: Consent,
  account_id: string,
): Promise<string> {
  const code = newSecret();
  const code_hash = credentialHash(code);
  const application_id = application.id;
  const stored = { code_hash, application_id, account_id, scopes, redirect_uri, challenge };
  if (!(await insertCode(db, stored))) throw invalidClient();
  return code;
}
