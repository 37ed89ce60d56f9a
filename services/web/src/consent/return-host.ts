import { i18n } from '../shared/i18n/i18n.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The host that a redirect URI returns to, as text. Undefined if it has none. */
export function returnHost(redirect_uri: string): string | undefined {
  if (!URL.canParse(redirect_uri)) return undefined;
  const { hostname, host } = new URL(redirect_uri);
  return LOOPBACK.test(hostname) ? i18n._('{host} on this computer', { host }) : host || undefined;
}
