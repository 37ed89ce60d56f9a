import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withTimeout } from '../with-timeout.ts';
import { hostAndPort } from './host-port.ts';

const LOOKUP_TIMEOUT_MS = 2_000;
const LOOKUP_EVERY_MS = 1_000;

/**
 * Makes a function that resolves host names to addresses with ports, without duplicates, at most once a second. A
 * name that cannot be resolved keeps its last known addresses, and delays the others only briefly.
 *
 * @param address host:port, or several separated by commas; a name stands for all its addresses
 */
export function addressResolver(address: string): () => Promise<readonly string[]> {
  const targets = [...new Set(address.split(',').map((target) => target.trim()))];
  const lastKnown = new Map<string, readonly string[]>();
  let resolved: Promise<readonly string[]> | undefined;

  async function addressesOf(target: string): Promise<readonly string[]> {
    const { host, port } = hostAndPort(target);
    if (isIP(host) !== 0) return [target];
    const found = await withTimeout(LOOKUP_TIMEOUT_MS, lookup(host, { all: true }));
    if (found !== undefined)
      lastKnown.set(
        target,
        found.map((one) => socketAddress(one, port)),
      );
    return lastKnown.get(target) ?? [];
  }

  return () => {
    resolved ??= Promise.all(targets.map(addressesOf)).then((lists) => {
      setTimeout(() => {
        resolved = undefined;
      }, LOOKUP_EVERY_MS).unref();
      return [...new Set(lists.flat())];
    });
    return resolved;
  };
}

function socketAddress({ address, family }: LookupAddress, port: number): string {
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
