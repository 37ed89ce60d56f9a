import { isIPv4 } from 'node:net';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { clientText, loadUserAgentParser } from '../sessions/client-info.ts';
import { maskIp, networkOf } from '../sessions/network.ts';

/** The values of a mail that say who caused it, and when. */
export type WhoAsked = Readonly<Record<'when' | 'ip' | 'client' | 'browser' | 'os', string>>;

/** Words in the value `ip`. They are the English texts of the catalogs. */
export const PRIVATE_NETWORK = 'a private network';
export const UNKNOWN = 'unknown';

/**
 * Describes the client of an action. Its place is the masked address: without a database of places, nothing better is
 * known.
 */
export async function whoAsked(
  { ip, user_agent }: Pick<Caller, 'ip' | 'user_agent'>,
  time_ms: number,
): Promise<WhoAsked> {
  const { browser, os } = (await loadUserAgentParser())(user_agent);
  return {
    when: new Date(time_ms).toISOString(),
    ip: placeOf(ip),
    client: await clientText(user_agent),
    browser: browser ?? '',
    os: os ?? '',
  };
}

function placeOf(ip: string): string {
  const network = networkOf(ip);
  if (network === undefined) return UNKNOWN;
  return isPrivate(network) ? PRIVATE_NETWORK : (maskIp(ip) ?? UNKNOWN);
}

/** Networks that are not part of the Internet: RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291 and loopback. */
function isPrivate(network: string): boolean {
  if (!isIPv4(network)) return /^(?:0:0:0:0:|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(network);
  const [first = 0, second = 0] = network.split('.').map(Number);
  return (
    [10, 127].includes(first) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168) ||
    (first === 169 && second === 254) ||
    (first === 100 && second >= 64 && second < 128)
  );
}
