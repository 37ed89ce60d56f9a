import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Pool } from 'pg';
import { newSecret, secretHash } from '../secrets.ts';
import { insertChallenge, useChallenge } from '../store/challenges.ts';
import { listPasskeys, type PasskeyRow } from '../store/passkeys.ts';
import { readRegistrationResponse } from './read-response.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE numbers: Ed25519, ECDSA on P-256 with SHA-256, RSA PKCS #1 v1.5 with SHA-256. */
const ALGORITHMS = [-8, -7, -257];
const ANSWER_WITHIN_MS = 5 * 60_000;

/** The options for a new passkey of an operator (PublicKeyCredentialCreationOptionsJSON). */
export async function registrationOptions(db: Pool, party: RelyingParty, operator: string): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const challenge = newSecret();
  const known = await listPasskeys(db, operator);
  await insertChallenge(db, { challenge_hash: secretHash(challenge), purpose: 'register', operator });
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: 'Gatehouse console',
    userID: Uint8Array.from(Buffer.from(operator)),
    userName: operator,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: ANSWER_WITHIN_MS,
  });
}

/** The passkey of a valid RegistrationResponseJSON, or undefined. Its challenge is used up either way. */
export async function provenRegistration(
  db: Pool,
  party: RelyingParty,
  operator: string,
  response: unknown,
): Promise<PasskeyRow | undefined> {
  const parsed = readRegistrationResponse(response);
  if (parsed === undefined) return undefined;
  const challenge_hash = secretHash(parsed.challenge);
  if (!(await useChallenge(db, { challenge_hash, purpose: 'register', operator }))) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    if (parsed.cross_origin || !(await hasNoCertificate(parsed.json))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: parsed.json,
      expectedChallenge: parsed.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    const transports = parsed.json.response.transports ?? [];
    return id === parsed.json.id ? { id, operator, public_key: publicKey, counter, transports } : undefined;
  } catch {
    return undefined; // the library throws for every invalid response
  }
}

/** Attestations with certificates were not asked for, and are refused unread. */
async function hasNoCertificate({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
