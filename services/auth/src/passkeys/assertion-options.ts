import type { Deps } from '../deps.ts';
import { noPasskeys } from '../errors.ts';
import { listPasskeys } from '../store/mfa/webauthn-credentials.ts';
import { ANSWER_WITHIN_MS, challengeFor, loginChallenge } from './challenge.ts';
import { relyingParty } from './relying-party.ts';

/**
 * The options for an assertion by one of the account's passkeys (PublicKeyCredentialRequestOptionsJSON), or undefined
 * if the account is gone. User verification is only preferred, because the caller has already proven a password or a
 * session.
 *
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

/** The options for a login by passkey alone. The passkey is the only proof, so user verification is required. */
export async function loginOptions(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const challenge = await loginChallenge(deps);
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
