export type RedirectUriViolation = 'INVALID_URL_FORMAT' | 'URL_LENGTH_INVALID';

const MAX_LENGTH = 2048;

/**
 * The violation of a redirect URI, or undefined. It must be https, or http to a loopback host, without fragment (RFC
 * 6749 §3.1.2) and userinfo. It is compared as an exact string, so anything that a lenient parser would correct
 * (blanks, backslashes, a missing "//") is refused.
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

/** The characters of RFC 3986 §2, with two hexadecimal digits after each "%". */
const URI_CHARACTERS = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** Takes a host as the URL parser returns it. All of 127.0.0.0/8 is loopback (RFC 8252 §7.3). */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(hostname);
}
