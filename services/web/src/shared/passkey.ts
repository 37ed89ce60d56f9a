import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { call } from './api/api.ts';
import { UserFacingError } from './api/user-facing-error.ts';
import { passkeyErrorText } from './passkey-error-text.ts';
import { passkeyObstacle } from './passkey-obstacle.ts';

/** Why passkeys cannot work on this page. Undefined if they can. */
export function passkeyObstacleHere(): string | undefined {
  const hasWebauthn = 'PublicKeyCredential' in globalThis;
  return passkeyObstacle({ hostname: location.hostname, isSecureContext, hasWebauthn });
}

/**
 * Gets a passkey's response to a challenge. `optionsPath` is the route that creates the challenge, with `body`. The
 * result is the API's `response` or `sudo_proof`.
 *
 * @throws ApiError; UserFacingError if no passkey responded
 */
export async function answerWithPasskey(optionsPath: string, body?: object): Promise<object> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>('POST', optionsPath, body);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw new UserFacingError(passkeyErrorText(error));
  });
}
