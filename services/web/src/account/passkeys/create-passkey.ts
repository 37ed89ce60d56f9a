import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { call } from '../../shared/api/api.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { whyNot } from '../../shared/sudo/passkey.ts';
import { PASSKEYS } from './passkeys-path.ts';

/**
 * Has the browser make a passkey, on this device or on another one that the user picks. What it gives is what the API
 * takes as `response`.
 *
 * @throws ApiError; UserFacingError when none was made
 */
export async function createPasskey(): Promise<object> {
  const path = `${PASSKEYS}/registration-options`;
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('POST', path);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw new UserFacingError(whyNot(error));
  });
}
