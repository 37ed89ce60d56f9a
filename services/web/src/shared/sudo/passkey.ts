import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { call } from '../api/api.ts';
import { UserFacingError } from '../api/user-facing-error.ts';
import { passkeyObstacle } from './passkey-obstacle.ts';

/** Why passkeys cannot work on this page; undefined: they can. */
export function passkeyObstacleHere(): string | undefined {
  const hasWebauthn = 'PublicKeyCredential' in globalThis;
  return passkeyObstacle({ hostname: location.hostname, isSecureContext, hasWebauthn });
}

/**
 * Lets the user answer a challenge with a passkey. `options_path` is the route that makes the challenge, `body` what it
 * needs. The answer is what the API takes as `response`, or as `sudo_proof`.
 *
 * @throws ApiError; UserFacingError when no passkey answered
 */
export async function answerWithPasskey(options_path: string, body?: object): Promise<object> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>('POST', options_path, body);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw new UserFacingError(whyNot(error));
  });
}

/** What the browser's refusal means. It does not tell a passkey that is not there from a user who gave up. */
export function whyNot(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'SecurityError') return 'Passkeys of this server do not work at this address.';
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  return 'No passkey was used. You can try again.';
}
