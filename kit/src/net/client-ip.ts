import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Logger, silentLogger } from '../log.ts';
import { throttledLog } from '../throttled-log.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Parses CIDRs and single addresses; undefined if one is malformed. */
export function parseNetworks(cidrs: readonly string[]): Network[] | undefined {
  try {
    return cidrs.map((cidr) => {
      const [address = '', bits] = cidr.split('/');
      if (!isIpAddress(address)) throw new Error(`not an address: ${address}`);
      return withoutIpv4Mapping(
        ipaddr.parseCIDR(bits === undefined ? `${address}/${isIP(address) === 4 ? 32 : 128}` : cidr),
      );
    });
  } catch {
    return undefined;
  }
}

/** Converts a network of IPv4-mapped IPv6 addresses to IPv4, like the addresses of clients. */
function withoutIpv4Mapping([address, bits]: Network): Network {
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < 96)
    return [address, bits];
  return [address.toIPv4Address(), bits - 96];
}

/** Whether text is an address in the usual notation, without a zone. ipaddr.js also accepts `10` and `0x7f.1`. */
function isIpAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/**
 * Makes the function that determines a client's address (docs/conventions.md#client-address): the socket's peer or,
 * if that is a trusted proxy, the rightmost untrusted address in X-Forwarded-For. A malformed entry ends the search:
 * the last trusted proxy counts as the client, and a line is logged, at most once a minute.
 */
export function clientIp(
  trustedProxies: readonly string[],
  log: Logger = silentLogger,
): (peer: string | undefined, forwardedFor: string | undefined) => string {
  const trusted = trustedBy(trustedProxies);
  // The line omits the entry itself, which a client may have sent.
  const logMalformed = throttledLog<string>(
    (times, named_by) => log.warn({ named_by, times }, 'an entry of X-Forwarded-For is no address'),
    MALFORMED_LOG_EVERY_MS,
  );

  return (peer, forwardedFor) => {
    const direct = canonicalPeer(peer);
    if (trustedProxies.length === 0 || forwardedFor === undefined) return direct;
    let client = ipaddr.process(direct);
    for (let to = forwardedFor.length; to >= 0 && trusted(client); ) {
      const comma = to === 0 ? -1 : forwardedFor.lastIndexOf(',', to - 1);
      const entry = forwardedFor.slice(comma + 1, to).trim();
      to = comma;
      if (entry === '' || entry === '""') continue;
      const address = addressIn(entry);
      if (address === undefined) {
        logMalformed(client.toString());
        break;
      }
      client = address;
    }
    return client.toString();
  };
}

const MALFORMED_LOG_EVERY_MS = 60_000;
/** An address in brackets, or an IPv4 address, with an optional port. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

/** The address of an entry, which may have a port, brackets or quotes: `"[2001:db8::1]:4711"`. */
function addressIn(entry: string): Address | undefined {
  const unquoted = /^"(.*)"$/.exec(entry)?.[1]?.trim() ?? entry;
  const [, bracketed, dotted] = WITH_PORT.exec(unquoted) ?? [];
  const text = bracketed ?? dotted ?? unquoted;
  return isIpAddress(text) ? ipaddr.process(text) : undefined;
}

/**
 * Makes the function that returns the address under which a peer's connections count; undefined for a trusted proxy.
 */
export function peerAddress(
  trustedProxies: readonly string[],
): (peer: string | undefined) => string | undefined {
  const trusted = trustedBy(trustedProxies);
  return (peer) => {
    const direct = canonicalPeer(peer);
    return trustedProxies.length > 0 && trusted(ipaddr.process(direct)) ? undefined : ipGroup(direct);
  };
}

/** Makes the function that tells whether a socket's peer is a trusted proxy. */
export function isTrustedPeer(trustedProxies: readonly string[]): (peer: string | undefined) => boolean {
  const trusted = trustedBy(trustedProxies);
  return (peer) => peer !== undefined && trusted(ipaddr.process(canonicalPeer(peer)));
}

function trustedBy(trustedProxies: readonly string[]): (address: Address) => boolean {
  const networks = parseNetworks(trustedProxies) ?? [];
  return (address) =>
    networks.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** An IPv4-mapped IPv6 address becomes IPv4. A disconnected peer has no address. */
function canonicalPeer(peer: string | undefined): string {
  if (peer === undefined) return '0.0.0.0';
  if (peer.startsWith('::ffff:')) return peer.slice('::ffff:'.length);
  const zone = peer.indexOf('%');
  return zone < 0 ? peer : peer.slice(0, zone);
}

/** An address in the notation of a client's: the shortest one, and IPv4 for IPv4-mapped IPv6. Undefined if it is none. */
export function canonicalIp(text: string): string | undefined {
  return isIpAddress(text) ? ipaddr.process(text).toString() : undefined;
}

/** The address for IP-keyed buckets: IPv4 as it is, IPv6 by /64. */
export function ipGroup(ip: string): string {
  return prefix(ip, 32, 64);
}

/** The network for subnet-keyed buckets: IPv4 by /24, IPv6 by /48. */
export function ipSubnet(ip: string): string {
  return prefix(ip, 24, 48);
}

/** The network of a typical provider allocation: IPv4 by /16, IPv6 by /32. */
export function ipAllocation(ip: string): string {
  return prefix(ip, 16, 32);
}

function prefix(ip: string, v4Bits: 16 | 24 | 32, v6Bits: number): string {
  if (!ip.includes(':')) {
    if (v4Bits === 32) return ip;
    const kept = ip.split('.').slice(0, v4Bits / 8);
    return `${[...kept, '0', '0'].slice(0, 4).join('.')}/${v4Bits}`;
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/${v6Bits}`).toString()}/${v6Bits}`;
}
