import type { Deps } from '../deps.ts';
import { tooManyPasskeys } from '../errors.ts';
import type { Account } from '../store/accounts/account.ts';
import { ANSWER_WITHIN_MS, challengeFor } from './challenge.ts';
import { relyingParty } from './relying-party.ts';
import { ALGORITHMS } from './usable-key.ts';

/** Maximum passkeys per account. */
export const MAX_PASSKEYS = 10;

/**
 * The options for a new passkey (PublicKeyCredentialCreationOptionsJSON), or undefined if the account is gone.
 *
 * @throws BAD_REQUEST with ten passkeys
 */
export async function registrationOptions(
  deps: Pick<Deps, 'db' | 'config'>,
  account: Account,
): Promise<string | undefined> {
  const created = await challengeFor(deps, 'register', account.id, (count) => {
    if (count >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS);
  });
  if (created === undefined) return undefined;
  const party = relyingParty(deps.config.web_app_url);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: userHandle(account.id),
    userName: account.username,
    userDisplayName: account.global_name ?? account.username,
    challenge: created.challenge,
    attestationType: 'none',
    excludeCredentials: created.passkeys.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: ANSWER_WITHIN_MS,
  });
  return JSON.stringify(options);
}

/** The user handle (WebAuthn Level 3, section 5.4.3): the account's ID. */
export function userHandle(account_id: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(account_id, 'latin1'));
}
