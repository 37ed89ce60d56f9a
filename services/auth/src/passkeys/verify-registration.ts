import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey } from '../store/mfa/webauthn-credentials.ts';
import type { ParsedResponse } from './read-response.ts';
import type { RelyingParty } from './relying-party.ts';
import { ALGORITHMS, isUsableKey } from './usable-key.ts';

/** Verifies a registration response. Returns its passkey, or undefined if anything is wrong. */
export async function verifyRegistration(
  party: RelyingParty,
  { json, challenge, cross_origin }: ParsedResponse<RegistrationResponseJSON>,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    if (cross_origin || !(await hasNoCertificate(json.response.attestationObject))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: json,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: false, // user verification is not required of a second factor
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id !== json.id || !(await isUsableKey(publicKey))) return undefined;
    return { id, public_key: publicKey, counter, transports: json.response.transports ?? [] };
  } catch {
    return undefined; // the library throws for every invalid response
  }
}

/**
 * Whether an attestation has no certificate, as the options request: it is empty, or a self attestation. Other
 * attestations are refused unread: verifying a certificate that is not used would mean parsing arbitrary input and
 * fetching revocation lists.
 */
async function hasNoCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
