import { isIP } from 'node:net';

/** The relying party of WebAuthn Level 3, section 4. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  /** The origins that may use passkeys. */
  readonly origins: readonly string[];
}

/**
 * The relying party of a web app. Its ID is a domain and cannot be an IP address, so for an address it is `localhost`.
 * A web app on loopback is accepted under each name of loopback.
 */
export function relyingParty(web_app_url: string): RelyingParty {
  const { origin, protocol, hostname, port } = new URL(web_app_url);
  const address = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const loopback = hostname === 'localhost' || hostname === '[::1]' || (address && /^127\./.test(hostname));
  const onThisMachine = ['localhost', '127.0.0.1'].map(
    (host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`,
  );
  return {
    id: address ? 'localhost' : hostname,
    name: 'Gatehouse',
    origins: loopback ? [...new Set([origin, ...onThisMachine])] : [origin],
  };
}
