import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey } from '../store/webauthn-credentials.ts';
import type { Answer } from './read-response.ts';
import type { RelyingParty } from './relying-party.ts';
import { ALGORITHMS, isUsableKey } from './usable-key.ts';

/** The passkey that a client made for its answer's challenge; undefined, whatever is wrong with it. */
export async function verifyRegistration(
  party: RelyingParty,
  { json, challenge, cross_origin }: Answer<RegistrationResponseJSON>,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    if (cross_origin || !(await hasNoCertificate(json.response.attestationObject))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: json,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: false, // a passkey without it still is a second factor
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== json.id || !(await isUsableKey(publicKey))) return undefined;
    return { id, public_key: publicKey, counter, transports: json.response.transports ?? [] };
  } catch {
    return undefined; // what the library says of a client's mistakes
  }
}

/**
 * Whether an attestation carries no certificate, as was asked for: there is none, or the key attests
 * itself. Others are not even read: certificates that anybody may make up, and the lists of revoked ones
 * that they point at, are nothing to parse or to fetch for an answer that is not used.
 */
async function hasNoCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
