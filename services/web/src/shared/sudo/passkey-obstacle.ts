/** What passkeys depend on. */
export interface Browser {
  /** Of the page's address. */
  readonly hostname: string;
  readonly isSecureContext: boolean;
  /** Whether it implements WebAuthn. */
  readonly hasWebauthn: boolean;
}

/** Why passkeys cannot work here, for people; undefined: they can. A passkey belongs to a host name. */
export function passkeyObstacle({ hostname, isSecureContext, hasWebauthn }: Browser): string | undefined {
  if (/^[\d.]+$|^\[/.test(hostname))
    return 'Passkeys do not work at an address made of numbers. Open this page by its host name.';
  if (!isSecureContext) return 'Passkeys need a secure connection: open this page with https.';
  if (!hasWebauthn) return 'This browser does not know passkeys.';
  return undefined;
}
