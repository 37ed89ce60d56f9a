const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Where a person goes back to, in words; undefined: the address has no host. */
export function returnHost(redirect_uri: string): string | undefined {
  if (!URL.canParse(redirect_uri)) return undefined;
  const { hostname, host } = new URL(redirect_uri);
  return LOOPBACK.test(hostname) ? 'this computer' : host || undefined;
}
