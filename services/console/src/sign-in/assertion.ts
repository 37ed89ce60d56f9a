import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { newSecret, secretHash } from '../secrets.ts';
import { insertChallenge, useChallenge } from '../store/challenges.ts';
import { findPasskey, listPasskeys } from '../store/passkeys.ts';
import { readAssertion } from './read-response.ts';
import type { RelyingParty } from './relying-party.ts';

const ANSWER_WITHIN_MS = 5 * 60_000;

/**
 * The options for a sign-in by passkey (PublicKeyCredentialRequestOptionsJSON). A name without passkeys gets the ID of
 * one that does not exist, always the same, so the answer does not show which operators there are.
 */
export async function assertionOptions(
  db: Pool,
  party: RelyingParty,
  operator: string,
  secret_key: string,
): Promise<object> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const challenge = newSecret();
  const keys = await listPasskeys(db, operator);
  await insertChallenge(db, { challenge_hash: secretHash(challenge), purpose: 'sign-in', operator });
  const allowed = keys.length > 0 ? keys : [decoy(operator, secret_key)];
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: [...transports] })),
    userVerification: 'required',
    timeout: ANSWER_WITHIN_MS,
  });
}

function decoy(operator: string, secret_key: string): { id: string; transports: readonly string[] } {
  const id = createHmac('sha256', secret_key).update(`decoy passkey\0${operator}`).digest('base64url');
  return { id, transports: ['internal'] };
}

/** The use of a passkey that has signed a challenge. */
export interface PasskeyUse {
  /** The credential's ID in base64url. */
  readonly id: string;
  readonly counter: number;
}

/**
 * The use of the operator's passkey that has signed a live challenge, or undefined. The challenge is used up either way.
 * The caller records the use, which checks the counter.
 */
export async function provenAssertion(
  db: Pool,
  party: RelyingParty,
  operator: string,
  response: unknown,
): Promise<PasskeyUse | undefined> {
  const parsed = readAssertion(response);
  if (parsed === undefined || parsed.cross_origin) return undefined;
  const challenge_hash = secretHash(parsed.challenge);
  if (!(await useChallenge(db, { challenge_hash, purpose: 'sign-in', operator }))) return undefined;
  const key = await findPasskey(db, parsed.json.id);
  if (key === undefined || key.operator !== operator) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: parsed.json,
      expectedChallenge: parsed.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // recordPasskeyUse checks the counter, of simultaneous uses too.
      credential: { id: key.id, publicKey: key.public_key, counter: 0 },
      requireUserVerification: true,
    });
    return verified ? { id: key.id, counter: authenticationInfo.newCounter } : undefined;
  } catch {
    return undefined; // the library throws for every invalid response
  }
}
