import { i18n } from './i18n/i18n.ts';

/** The properties of the page and the browser that passkeys depend on. */
export interface PasskeyEnvironment {
  /** The page's host name. */
  readonly hostname: string;
  readonly isSecureContext: boolean;
  /** Whether the browser implements WebAuthn. */
  readonly hasWebauthn: boolean;
}

/** Why passkeys cannot work here, as text for the user. Undefined if they can. A passkey is bound to a host name. */
export function passkeyObstacle({
  hostname,
  isSecureContext,
  hasWebauthn,
}: PasskeyEnvironment): string | undefined {
  if (/^[\d.]+$|^\[/.test(hostname))
    return i18n._('Passkeys do not work at an IP address. Open this page by its host name.');
  if (!isSecureContext) return i18n._('Passkeys need a secure connection: open this page with https.');
  if (!hasWebauthn) return i18n._('This browser does not support passkeys.');
  return undefined;
}
