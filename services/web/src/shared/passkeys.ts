import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { whyNoPasskeys } from './passkeys-here.ts';
import { Said } from './said.ts';

/** Why they do not work on this page; undefined: they do. */
export const noPasskeysHere = whyNoPasskeys(new URL(location.href), 'PublicKeyCredential' in window);

/** Has the user's passkey answer the options of a login or of sudo mode. @throws Said */
export async function answerByPasskey(options: object): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // Options of the server are what WebAuthn defines.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON }).catch(sayWhatIsWrong);
}

/** Makes a passkey on this device, or on another one that the user picks. @throws Said */
export async function createPasskey(options: object): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return startRegistration({ optionsJSON }).catch(sayWhatIsWrong);
}

function sayWhatIsWrong(error: unknown): never {
  throw new Said((error instanceof Error && WORDS[error.name]) || 'The passkey did not work. Try again.');
}

/** By the names of WebAuthn's errors. */
const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: it was cancelled, or took too long.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys of this service do not work at this address.',
};
