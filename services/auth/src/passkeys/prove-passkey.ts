import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Pool, PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { tokenHash } from '../sessions/token.ts';
import { type ChallengePurpose, consumeChallenge } from '../store/webauthn-challenges.ts';
import { findPasskey, type PasskeyKey } from '../store/webauthn-credentials.ts';
import { decoyKey } from './decoy-key.ts';
import { readAssertion } from './read-response.ts';
import { userHandle } from './registration-options.ts';
import { relyingParty } from './relying-party.ts';
import { verifyAssertion } from './verify-assertion.ts';

/** An answer to a challenge. */
export interface OfferedAssertion {
  readonly purpose: Exclude<ChallengePurpose, 'register'>;
  /** Null: whoever answers. */
  readonly account_id: string | null;
  /** AuthenticationResponseJSON. */
  readonly response: string;
}

/** A passkey that signed, and the counter that it signed with, which may be an old one. */
export interface ProvenPasskey {
  readonly id: string;
  readonly account_id: string;
  readonly counter: number;
}

/**
 * Which passkey answers a live challenge; the challenge is used up whatever comes out. The counter is
 * still to be recorded (`recordPasskeyUse`), which is what counts when two come at once.
 */
export async function provePasskey(
  { db, config }: Pick<Deps, 'config'> & { readonly db: Pool | PoolClient },
  { purpose, account_id, response }: OfferedAssertion,
): Promise<ProvenPasskey | undefined> {
  const answer = readAssertion(response);
  if (answer === undefined) return undefined;
  const challenge_hash = tokenHash(answer.challenge);
  if (!(await consumeChallenge(db, { challenge_hash, purpose, account_id }))) return undefined;

  const found = await findPasskey(db, answer.json.id);
  const passkey = found !== undefined && isOf(found, account_id, answer.json) ? found : undefined;
  // A passkey that is not known takes as long as a signature that is wrong.
  const key = passkey ?? (await decoyKey());
  const party = relyingParty(config.web_app_url);
  const counter = await verifyAssertion(party, answer, key, {
    require_user_verification: purpose === 'login',
  });
  if (passkey === undefined || counter === undefined) return undefined;
  return { id: passkey.id, account_id: passkey.account_id, counter };
}

/**
 * Whether the passkey is the account's (WebAuthn Level 3, section 7.2, step 6): where it is not known
 * who answers, the user handle has to say it, and elsewhere it must not say otherwise.
 */
function isOf(
  { account_id: owner }: PasskeyKey,
  account_id: string | null,
  { response: { userHandle: handle } }: AuthenticationResponseJSON,
): boolean {
  const matches = handle === Buffer.from(userHandle(owner)).toString('base64url');
  return account_id === null ? matches : owner === account_id && (handle === undefined || matches);
}
