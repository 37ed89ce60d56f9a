import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyKey } from '../store/mfa/webauthn-credentials.ts';
import type { ParsedResponse } from './read-response.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * Verifies an assertion. Returns the counter of its signature, or undefined if anything is wrong. It does not check
 * that the counter has grown: `recordPasskeyUse` does, for concurrent responses too, and so distinguishes a copied key
 * from a wrong signature.
 */
export async function verifyAssertion(
  party: RelyingParty,
  { json, challenge, cross_origin }: ParsedResponse<AuthenticationResponseJSON>,
  passkey: Pick<PasskeyKey, 'id' | 'public_key'>,
  { require_user_verification }: { readonly require_user_verification: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: json,
      expectedChallenge: challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      credential: { id: passkey.id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
      requireUserVerification: require_user_verification,
    });
    return verified && !cross_origin ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined; // the library throws for every invalid response
  }
}
