import type { Deps } from '../deps.ts';
import { noPasskeys } from '../errors.ts';
import { listPasskeys } from '../store/webauthn-credentials.ts';
import { ANSWER_WITHIN_MS, challengeFor, challengeForAnybody } from './challenge.ts';
import { relyingParty } from './relying-party.ts';

/**
 * Options for a passkey of this account: PublicKeyCredentialRequestOptionsJSON; undefined when the account
 * is gone. User verification is welcome: a password or a session was proven before.
 * @throws BAD_REQUEST for an account without passkeys
 */
export async function assertionOptions(
  deps: Pick<Deps, 'db' | 'config'>,
  purpose: 'mfa' | 'sudo',
  account_id: string,
): Promise<string | undefined> {
  const made = await challengeFor(deps, purpose, account_id, async (tx) => {
    const passkeys = await listPasskeys(tx, account_id);
    if (passkeys.length === 0) throw noPasskeys();
    return passkeys.map(({ id, transports }) => ({ id, transports: [...transports] }));
  });
  if (made === undefined) return undefined;
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config.web_app_url).id,
    challenge: made.challenge,
    allowCredentials: made.value,
    userVerification: 'preferred',
    timeout: ANSWER_WITHIN_MS,
  });
  return JSON.stringify(options);
}

/** Options for whichever passkey the client has: it alone logs in, so that it must verify its user. */
export async function loginOptions(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const challenge = await challengeForAnybody(deps);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config.web_app_url).id,
    challenge,
    allowCredentials: [],
    userVerification: 'required',
    timeout: ANSWER_WITHIN_MS,
  });
  return JSON.stringify(options);
}
