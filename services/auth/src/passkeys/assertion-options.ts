import type { Deps } from '../deps.ts';
import { noPasskeys } from '../errors.ts';
import type { PasskeyDescriptor } from '../store/mfa/webauthn-credentials.ts';
import { ANSWER_WITHIN_MS, type ChallengeBytes, challengeFor, loginChallenge } from './challenge.ts';
import { relyingParty } from './relying-party.ts';

/**
 * The options for an assertion by one of the account's passkeys, or undefined if the account is gone. User verification
 * is only preferred, because the caller has already proven a password or a session.
 *
 * @throws BAD_REQUEST for an account without passkeys
 */
export async function assertionOptions(
  deps: Pick<Deps, 'db' | 'config'>,
  purpose: 'mfa' | 'sudo',
  account_id: string,
): Promise<string | undefined> {
  const created = await challengeFor(deps, purpose, account_id, (count) => {
    if (count === 0) throw noPasskeys();
  });
  return created && requestOptions(deps, created.challenge, created.passkeys, 'preferred');
}

/** The options for a login by passkey alone. The passkey is the only proof, so user verification is required. */
export async function loginOptions(deps: Pick<Deps, 'db' | 'config'>): Promise<string> {
  return requestOptions(deps, await loginChallenge(deps), [], 'required');
}

/** PublicKeyCredentialRequestOptionsJSON. */
async function requestOptions(
  { config }: Pick<Deps, 'config'>,
  challenge: ChallengeBytes,
  passkeys: readonly PasskeyDescriptor[],
  userVerification: 'preferred' | 'required',
): Promise<string> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(config.web_app_url).id,
    challenge,
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports: [...transports] })),
    userVerification,
    timeout: ANSWER_WITHIN_MS,
  });
  return JSON.stringify(options);
}
