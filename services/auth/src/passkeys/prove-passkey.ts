import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { tokenHash } from '../sessions/token.ts';
import { type ChallengePurpose, consumeChallenge } from '../store/mfa/webauthn-challenges.ts';
import { findPasskey, type PasskeyKey } from '../store/mfa/webauthn-credentials.ts';
import { decoyKey } from './decoy-key.ts';
import { readAssertion } from './read-response.ts';
import { userHandle } from './registration-options.ts';
import { relyingParty } from './relying-party.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** An assertion to verify. */
export interface OfferedAssertion {
  readonly purpose: Exclude<ChallengePurpose, 'register'>;
  /** Null for a login: any account. */
  readonly account_id: string | null;
  /** AuthenticationResponseJSON. */
  readonly response: string;
}

/** The passkey of a valid signature, and the signature's counter, which is not checked yet. */
export interface ProvenPasskey {
  readonly id: string;
  readonly account_id: string;
  readonly counter: number;
}

/**
 * Finds the passkey that signed a live challenge, or undefined. The challenge is used up either way. The caller must
 * record the counter with `recordPasskeyUse`, which accepts only one of several concurrent uses.
 */
export async function provePasskey(
  { db, config }: Pick<Deps, 'config'> & { readonly db: Pool | PoolClient },
  { purpose, account_id, response }: OfferedAssertion,
): Promise<ProvenPasskey | undefined> {
  const parsed = readAssertion(response);
  if (parsed === undefined) return undefined;
  const challenge_hash = tokenHash(parsed.challenge);
  if (!(await consumeChallenge(db, { challenge_hash, purpose, account_id }))) return undefined;

  const found = await findPasskey(db, parsed.json.id);
  const passkey = found !== undefined && belongsTo(found, account_id, parsed.json) ? found : undefined;
  // Always verifies a signature, so that an unknown passkey takes as long as a wrong signature.
  const key = passkey ?? (await decoyKey());
  const party = relyingParty(config.web_app_url);
  const counter = await verifyAssertion(party, parsed, key, {
    require_user_verification: purpose === 'login',
  });
  if (passkey === undefined || counter === undefined) return undefined;
  return { id: passkey.id, account_id: passkey.account_id, counter };
}

/**
 * Whether the passkey is the account's (WebAuthn Level 3, section 7.2, step 6). In a login the user handle must be
 * that of the passkey's account. For a known account a user handle is optional, and must be the account's.
 */
function belongsTo(
  { account_id: owner }: PasskeyKey,
  account_id: string | null,
  { response: { userHandle: handle } }: AuthenticationResponseJSON,
): boolean {
  const matches = handle === Buffer.from(userHandle(owner)).toString('base64url');
  return account_id === null ? matches : owner === account_id && (handle === undefined || matches);
}
