import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of a login location: an IPv4 address, or the /64 of an IPv6 address, as one canonical text. An
 * IPv4-mapped address counts as IPv4. Undefined if `ip` is not an address.
 */
export function networkOf(ip: string): string | undefined {
  if (isIPv4(ip)) return ip;
  if (!isIPv6(ip)) return undefined;
  const all = groups(ip);
  const mapped = all.slice(0, 6).every((group, index) => group === (index < 5 ? 0 : 0xffff));
  if (mapped) return all.slice(6).map(ipv4Half).join('.');
  return `${all
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** A masked address that its owner recognizes: IPv4 without its last two numbers, IPv6 without everything after /32. */
export function maskIp(ip: string | null): string | null {
  const network = networkOf(ip ?? '');
  if (network === undefined) return null;
  const [first, second] = network.split(isIPv4(network) ? '.' : ':');
  return isIPv4(network) ? `${first}.${second}.*.*` : `${first}:${second}:*`;
}

/** All eight groups of an IPv6 address, without its zone. */
function groups(ip: string): number[] {
  const [address = ''] = ip.split('%');
  const [before = '', after = ''] = address.split('::');
  const head = readGroups(before);
  const tail = readGroups(after);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** An IPv4 tail counts as two groups (RFC 4291 §2.2). */
function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function ipv4Half(group: number): string {
  return `${group >> 8}.${group & 0xff}`;
}
