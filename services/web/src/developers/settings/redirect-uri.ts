import { i18n } from '../../shared/i18n/i18n.ts';

export const MAX_REDIRECT_URIS = 10;
const MAX_LENGTH = 2048;

/**
 * The error of a redirect URI, as text. Undefined if the server accepts it. This is the rule of the oauth2 service
 * (docs/oauth2.md#redirect-uris), repeated to check while the user types; a test compares the two.
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return i18n._('At most {max} characters.', { max: MAX_LENGTH });
  const [, scheme = '', authority] = /^(https?):\/\/([^/?]+)?/i.exec(text) ?? [];
  if (scheme === '') return i18n._('Start with https://, or http:// for this computer.');
  const stray = text.replaceAll(URI_CHARACTERS, '').slice(0, 2).trim();
  if (/\s/.test(text)) return i18n._('Remove the spaces.');
  if (text.includes('#')) return i18n._('Remove the “#” and everything after it.');
  if (stray.startsWith('%')) return i18n._('After each “%”, write two hexadecimal digits.');
  if (stray !== '') return i18n._('Percent-encode “{character}”.', { character: [...stray][0] });
  if (authority === undefined) return i18n._('A host is missing, such as example.com.');
  if (authority.includes('@')) return i18n._('Remove the user name before the “@”.');
  const url = URL.parse(text);
  if (url === null) return i18n._('Check the host and the port.');
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return undefined;
  return i18n._('http is for your own computer only (localhost, 127.0.0.1 or [::1]). Use https.');
}

/** The errors of a list, by index. Empty lines are valid, duplicates are not. */
export function redirectUriProblems(uris: readonly string[]): readonly (string | undefined)[] {
  return uris.map((uri, index) => {
    if (uri === '') return undefined;
    if (uris.indexOf(uri) < index) return i18n._('This one is in the list already.');
    return redirectUriProblem(uri);
  });
}

/** The characters of RFC 3986 §2, with two hexadecimal digits after each "%". */
const URI_CHARACTERS = /[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2}/g;

/** Takes a host as the URL parser returns it. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.[0-9]{1,3}){3}$/.test(hostname);
}
