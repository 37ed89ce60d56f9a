import { isIP } from 'node:net';

/** The relying party of WebAuthn Level 3, section 4. */
export interface RelyingParty {
  /** A domain; of a console at an IP address it is `localhost`. */
  readonly id: string;
  readonly origin: string;
}

export function relyingParty(url: string): RelyingParty {
  const { origin, hostname } = new URL(url);
  const is_address = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return { id: is_address ? 'localhost' : hostname, origin };
}
