import { systemClock } from '@gatehouse/kit/clock';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { lockOperator } from '../store/operators.ts';
import { recordPasskeyUse } from '../store/passkeys.ts';
import { findPassword, useTotpStep } from '../store/passwords.ts';
import { provenAssertion } from './assertion.ts';
import { verifyPassword } from './passwords.ts';
import { relyingParty } from './relying-party.ts';
import { openSession, type SignInBy } from './sessions.ts';
import { matchingSteps, totpContext } from './totp.ts';

export interface PasswordSignIn {
  readonly name: string;
  readonly password: string;
  /** The code of TOTP. */
  readonly code: string;
  readonly ip: string;
}

/**
 * Signs in by password and TOTP. Returns the session's token.
 *
 * @throws UNAUTHORIZED, whatever is wrong; RATE_LIMITED after too many wrong ones
 */
export async function signInByPassword(
  deps: Deps,
  { name, password, code, ip }: PasswordSignIn,
): Promise<string> {
  const succeed = deps.wrong_sign_ins.begin({ ip, name });
  const { db, encryption } = deps;
  const found = await findPassword(db, name);
  const is_password = await verifyPassword(password, found?.password_hash);
  if (found === undefined || !is_password) throw unauthorized();
  const { totp_secret } = found;
  const steps = matchingSteps(encryption.decrypt(totp_secret, totpContext(name)), code, systemClock());
  const token = await openProven(db, { name, ip }, 'password', async (tx) => {
    for (const step of steps) if (await useTotpStep(tx, name, { totp_secret, step })) return true;
    return false;
  });
  succeed();
  return token;
}

export interface PasskeySignIn {
  readonly name: string;
  /** AuthenticationResponseJSON. */
  readonly response: unknown;
  readonly ip: string;
}

/**
 * Signs in by passkey. Returns the session's token.
 *
 * @throws UNAUTHORIZED, whatever is wrong; RATE_LIMITED after too many wrong ones
 */
export async function signInByPasskey(deps: Deps, { name, response, ip }: PasskeySignIn): Promise<string> {
  // By address alone: nobody guesses a signature, and strangers cannot keep out who has a passkey.
  const succeed = deps.wrong_sign_ins.begin({ ip });
  const { db } = deps;
  const proven = await provenAssertion(db, relyingParty(deps.url()), name, response);
  if (proven === undefined) throw unauthorized();
  const token = await openProven(db, { name, ip }, 'passkey', (tx) =>
    recordPasskeyUse(tx, proven.id, proven.counter),
  );
  succeed();
  return token;
}

/**
 * Opens a session once `use` has used up the proof. A reset of the factors, or a removal of the operator, takes turns with
 * it: either the proof does not count any more, or the session ends with the others.
 */
function openProven(
  db: Deps['db'],
  { name, ip }: { readonly name: string; readonly ip: string },
  by: SignInBy,
  use: (tx: PoolClient) => Promise<boolean>,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    if ((await lockOperator(tx, name)) === undefined || !(await use(tx))) throw unauthorized();
    return openSession(tx, { operator: name, ip }, by);
  });
}
