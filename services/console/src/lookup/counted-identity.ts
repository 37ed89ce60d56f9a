import { canonicalIp, ipGroup, ipSubnet } from '@gatehouse/kit/net/client-ip';

/**
 * The identity that buckets count for what an operator typed (docs/rate-limits.md#keys): of an IPv6 address its /64, and
 * of a login name or an e-mail address the lower case. Any other text stays as it is.
 */
export function countedIdentity(typed: string): string {
  const text = typed.trim();
  const [, kind, value = ''] = /^(?:(ip|subnet):)?(.*)$/s.exec(text) ?? [];
  const networkOf = kind === 'subnet' ? ipSubnet : ipGroup;
  const [address = '', bits] = value.split('/');
  const ip = canonicalIp(address);
  if (ip !== undefined) {
    const network = networkOf(ip);
    // A network of another size is none that is counted.
    if (bits === undefined || network.endsWith(`/${bits}`)) return `${kind ?? 'ip'}:${network}`;
  }
  return KIND.test(text) ? text : text.toLowerCase();
}

/** Login names and e-mail addresses are the only identities without a kind. */
const KIND = /^[a-z_]+:/;
