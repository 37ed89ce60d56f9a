import { UserFacingError } from '@gatehouse/web/shared/api/user-facing-error.ts';
import { passkeyErrorText } from '@gatehouse/web/shared/passkey-error-text.ts';
import { passkeyObstacle } from '@gatehouse/web/shared/passkey-obstacle.ts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError, call } from './call.ts';

/** Signs in by password and code; the server sets the session's cookie. @throws ApiError; UserFacingError */
export async function signInByCode(name: string, password: string, code: string): Promise<void> {
  const wrong = 'Name, password and code do not match. A code works once.';
  await call('POST', '/sign-in/password', { name, password, code }).catch(refused(wrong));
}

/** Signs in by a passkey. @throws ApiError; UserFacingError if no passkey responded */
export async function signInByPasskey(name: string): Promise<void> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/sign-in/passkey/options', {
    name,
  });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: options }).catch(failed);
  await call('POST', '/sign-in/passkey', { name, response }).catch(
    refused('This passkey is not one of this name.'),
  );
}

/** The operator of a used one-time link. */
export interface UsedLink {
  readonly name: string;
  /** `enrol`: they have to set up how to sign in. `sign_in`: they have done so, and sign in. */
  readonly state: 'enrol' | 'sign_in' | 'signed_in';
}

/** Uses a one-time link up. @throws ApiError; UserFacingError */
export function redeemLink(token: string): Promise<UsedLink> {
  const wrong = 'This link was used already, or is over an hour old. Ask an admin for a new one.';
  return call<UsedLink>('POST', '/sign-in/link', { token }).catch(refused(wrong));
}

/** A TOTP secret that becomes valid with its first code. */
export interface TotpDraft {
  readonly secret: string;
  /** For the QR code. */
  readonly uri: string;
}

/** Makes a TOTP secret. @throws ApiError */
export function draftTotp(): Promise<TotpDraft> {
  return call<TotpDraft>('POST', '/enrol/totp');
}

/** Sets the password and the TOTP secret, and signs in. @throws ApiError */
export async function enrolTotp(password: string, code: string): Promise<void> {
  await call('POST', '/enrol/password', { password, code });
}

/** Makes a passkey and signs in. @throws ApiError; UserFacingError if no passkey was made */
export async function enrolPasskey(): Promise<void> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>('POST', '/enrol/passkey/options');
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options }).catch(failed);
  await call('POST', '/enrol/passkey', { response });
}

/** Replaces the answer 401, which says "signed out" elsewhere. */
function refused(text: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ApiError && error.status === 401 ? new UserFacingError(text) : error;
  };
}

function failed(error: unknown): never {
  throw new UserFacingError(passkeyErrorText(error));
}

/** Why passkeys cannot work on this page. Undefined if they can. */
export function passkeyObstacleHere(): string | undefined {
  const hasWebauthn = 'PublicKeyCredential' in globalThis;
  return passkeyObstacle({ hostname: location.hostname, isSecureContext, hasWebauthn });
}
