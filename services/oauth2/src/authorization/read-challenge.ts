import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { invalidRequest } from '../errors.ts';
import type { Challenge } from '../store/insert-code.ts';
import { isPkceText } from '../tokens/pkce.ts';

/**
 * The PKCE challenge of a request (docs/oauth2.md#pkce); undefined without one.
 *
 * @throws INVALID_REQUEST
 */
export function readChallenge(
  request: Pick<GrantConsentRequest, 'redirect_uri' | 'code_challenge' | 'code_challenge_method'>,
  /** Whether the client needs an S256 challenge. */
  require_s256: boolean,
): Challenge | undefined {
  const challenge = givenChallenge(request);
  // Without a redirect URI the code goes to the web app and not to a client (docs/oauth2.md#require-s256).
  const goesToClient = (request.redirect_uri ?? '') !== '';
  if (
    require_s256 &&
    (goesToClient || challenge !== undefined) &&
    challenge?.code_challenge_method !== 'S256'
  )
    throw invalidRequest('A code_challenge of the method S256 is required.');
  return challenge;
}

function givenChallenge({
  code_challenge: challenge,
  code_challenge_method: method,
}: Pick<GrantConsentRequest, 'code_challenge' | 'code_challenge_method'>): Challenge | undefined {
  if (challenge == null || challenge === '') {
    if (method != null && method !== '')
      throw invalidRequest('There is a code_challenge_method without a challenge.');
    return undefined;
  }
  const code_challenge_method = method == null || method === '' ? 'plain' : method;
  if (code_challenge_method !== 'S256' && code_challenge_method !== 'plain')
    throw invalidRequest('code_challenge_method must be S256 or plain.');
  if (!isPkceText(challenge, code_challenge_method))
    throw invalidRequest('code_challenge must be 43–128 unreserved characters, 1–128 if it is plain.');
  return { code_challenge: challenge, code_challenge_method };
}
