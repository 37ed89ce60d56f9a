import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { call } from '../../shared/api/api.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { passkeyErrorText } from '../../shared/passkey-error-text.ts';
import { PASSKEYS } from './passkeys-path.ts';

/**
 * Creates a passkey in the browser, on this device or on another one. The result is the `response` of the API.
 *
 * @throws ApiError; UserFacingError if no passkey was created
 */
export async function createPasskey(): Promise<object> {
  const path = `${PASSKEYS}/registration-options`;
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('POST', path);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw new UserFacingError(passkeyErrorText(error));
  });
}
