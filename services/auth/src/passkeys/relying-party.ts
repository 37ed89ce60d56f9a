import { isIP } from 'node:net';

/** Who this suite is to an authenticator (WebAuthn Level 3, section 4, "Relying Party"). */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  /** The pages that passkeys may be used on. */
  readonly origins: readonly string[];
}

/**
 * The relying party of a web app. An address cannot be one's ID (RP IDs are domains), so that an app on
 * this machine, by whichever of its names, is `localhost`.
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
