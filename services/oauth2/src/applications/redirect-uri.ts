export type RedirectUriViolation = 'INVALID_URL_FORMAT' | 'URL_LENGTH_INVALID';

const MAX_LENGTH = 2048;

/**
 * What is wrong with a redirect URI, or undefined. It must be https, or http to a loopback host;
 * without fragment (RFC 6749 §3.1.2) or userinfo. It is compared as the exact string, so what a
 * lenient parser would mend (blanks, back-slashes, a missing "//") is refused.
 */
export function redirectUriViolation(text: string): RedirectUriViolation | undefined {
  if (text.length > MAX_LENGTH) return 'URL_LENGTH_INVALID';
  return isRedirectUri(text) ? undefined : 'INVALID_URL_FORMAT';
}

function isRedirectUri(text: string): boolean {
  const authority = /^https?:\/\/([^/?]+)/i.exec(text)?.[1];
  const url = URL.parse(text);
  if (authority === undefined || url === null) return false;
  if (!URI_CHARACTERS.test(text) || text.includes('#') || authority.includes('@')) return false;
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

/** RFC 3986 §2, with every "%" the beginning of an octet. */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** As the URL parser writes hosts; all of 127.0.0.0/8 is this machine (RFC 8252 §7.3). */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(hostname);
}
