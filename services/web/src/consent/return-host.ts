const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The host that a redirect URI returns to, as text. Undefined if it has none. */
export function returnHost(redirect_uri: string): string | undefined {
  if (!URL.canParse(redirect_uri)) return undefined;
  const { hostname, host } = new URL(redirect_uri);
  return LOOPBACK.test(hostname) ? 'this computer' : host || undefined;
}
