/** Why passkeys do not work on a page. */
export interface NoPasskeys {
  readonly reason: string;
  /** The same page where they do. */
  readonly instead?: string;
}

/**
 * Undefined: they do work. A passkey belongs to a name, so a page whose address is a number can have none
 * (WebAuthn Level 3, section 5.1.2); an address of this very machine has a name as well.
 */
export function whyNoPasskeys(page: URL, isSupported: boolean): NoPasskeys | undefined {
  if (isNumber(page.hostname)) {
    const reason = 'Passkeys do not work on a page whose address is a number.';
    return isThisMachine(page.hostname) ? { reason, instead: onLocalhost(page) } : { reason };
  }
  return isSupported ? undefined : { reason: 'This browser has no passkeys.' };
}

function isNumber(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

function isThisMachine(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.');
}

function onLocalhost(page: URL): string {
  const there = new URL(page.pathname, page);
  there.hostname = 'localhost';
  return there.href;
}
