import { invalidRequest } from '../errors.ts';
import { type Challenge, isPkceText } from '../tokens/pkce.ts';

/** The challenge of a request (docs/oauth2.md#pkce); undefined without one. @throws INVALID_REQUEST */
export function readChallenge({
  code_challenge: challenge,
  code_challenge_method: method,
}: {
  readonly code_challenge?: string | null | undefined;
  readonly code_challenge_method?: string | null | undefined;
}): Challenge | undefined {
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
