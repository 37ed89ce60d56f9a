import { isIPv4 } from 'node:net';
import { networkOf } from '../login/network.ts';

/** An address for its owner to recognise: IPv4 without its last two numbers, IPv6 without all after /32. */
export function maskIp(ip: string | null): string | null {
  const network = networkOf(ip ?? '');
  if (network === undefined) return null;
  const [first, second] = network.split(isIPv4(network) ? '.' : ':');
  return isIPv4(network) ? `${first}.${second}.*.*` : `${first}:${second}:*`;
}
