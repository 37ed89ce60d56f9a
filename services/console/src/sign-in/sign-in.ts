import { systemClock } from '@gatehouse/kit/clock';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Deps } from '../deps.ts';
import { findPassword, useTotpStep } from '../store/passwords.ts';
import { isProvenAssertion } from './assertion.ts';
import { verifyPassword } from './passwords.ts';
import { relyingParty } from './relying-party.ts';
import { openSession } from './sessions.ts';
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
  deps.wrong_sign_ins.begin({ ip, name });
  if (!(await isRight(deps, name, password, code))) throw unauthorized();
  deps.wrong_sign_ins.succeed({ ip, name });
  return openSession(deps.db, { operator: name, ip }, 'password');
}

async function isRight({ db, seal }: Deps, name: string, password: string, code: string): Promise<boolean> {
  const found = await findPassword(db, name);
  const is_password = await verifyPassword(password, found?.password_hash);
  if (found === undefined || !is_password) return false;
  const secret = seal.unseal(found.totp_secret, totpContext(name));
  for (const step of matchingSteps(secret, code, systemClock()))
    if (await useTotpStep(db, name, step)) return true;
  return false;
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
  deps.wrong_sign_ins.begin({ ip, name });
  if (!(await isProvenAssertion(deps.db, relyingParty(deps.url()), name, response))) throw unauthorized();
  deps.wrong_sign_ins.succeed({ ip, name });
  return openSession(deps.db, { operator: name, ip }, 'passkey');
}
