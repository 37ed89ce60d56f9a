import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Logger } from '../log.ts';
import { hostAndPort } from '../net/host-port.ts';
import type { ConnectionState, Link } from './link.ts';
import { type LinkOptions, openLink } from './open-link.ts';

const RESOLVE_EVERY_MS = 5_000;
/** A link that is renewed may reach another replica behind the same address, so new replicas get work. */
export const RENEW_AFTER_MS = 5 * 60_000;

/** The links to all replicas of a service. */
export interface Replicas {
  /** The least busy of the connected links. `not`, which has just failed, only if there is no other. */
  pick(not?: Link): Link;
  count(): number;
  /** Whether one answers SERVING (grpc.health.v1) in time and takes calls now. Others may be about to end. */
  isServing(timeoutMs: number): Promise<boolean>;
  close(): void;
}

export interface ReplicasOptions extends LinkOptions {
  /** host:port, or several separated by commas; a host name stands for all its addresses. */
  readonly address: string;
  readonly log: Logger;
  readonly renewAfterMs: number;
}

export function replicas({ address, log, renewAfterMs, ...how }: ReplicasOptions): Replicas {
  const targets = address.split(',').map((target) => target.trim());
  const hostNames = targets.filter((target) => isIP(hostAndPort(target).host) === 0);
  let links: readonly Link[] = [...new Set(targets)].map((target) => openLink(target, how));
  let turn = 0;
  let resolving = false;
  let closed = false;

  const timer = setInterval(maintain, Math.min(RESOLVE_EVERY_MS, renewAfterMs));
  timer.unref();
  maintain();

  function pick(not?: Link): Link {
    turn = (turn + 1) % links.length;
    let best = links[turn] as Link;
    if (links.length === 1) return best;
    for (const link of links) {
      const difference = rank(link, not) - rank(best, not);
      if (difference < 0 || (difference === 0 && link.inFlight() < best.inFlight())) best = link;
    }
    return best;
  }

  function maintain(): void {
    renewOld();
    if (hostNames.length > 0 && !resolving) void resolveNames();
  }

  /** With a jitter of a fifth, so that the clients of a service do not all renew at the same time. */
  function renewOld(): void {
    const old = links.filter(
      ({ openedAt_ms }) => performance.now() - openedAt_ms >= renewAfterMs * (0.8 + Math.random() * 0.2),
    );
    if (old.length === 0) return;
    links = links.map((link) => (old.includes(link) ? openLink(link.address, how) : link));
    for (const link of old) link.retire();
  }

  /** If a name cannot be resolved, its links stay as they are. */
  async function resolveNames(): Promise<void> {
    resolving = true;
    try {
      const resolved = await Promise.all(hostNames.map(addressesOf));
      const numeric = targets.filter((target) => !hostNames.includes(target));
      if (!closed) setTargets(new Set([...numeric, ...resolved.flat()]));
    } catch (error) {
      log.warn({ err: error }, 'cannot resolve a peer');
    }
    resolving = false;
  }

  /** Links to addresses that have gone stay until another link is connected. */
  function setTargets(wanted: ReadonlySet<string>): void {
    const known = new Set(links.map((link) => link.address));
    const added = [...wanted].filter((target) => !known.has(target));
    links = [...links, ...added.map((target) => openLink(target, how))];
    const kept = links.filter((link) => wanted.has(link.address));
    if (kept.length === links.length || !kept.some((link) => link.state() === 'connected')) return;
    for (const link of links) if (!wanted.has(link.address)) link.retire();
    links = kept;
  }

  /** Asks all only where the one that would be called says no. */
  async function isServing(timeoutMs: number): Promise<boolean> {
    const first = pick();
    const half_ms = timeoutMs / 2;
    if (await first.isServing(links.length === 1 ? timeoutMs : half_ms)) return true;
    const others = links.filter((link) => link !== first).map((link) => isServingOrThrows(link, half_ms));
    return Promise.any(others).catch(() => false);
  }

  return {
    pick,
    count: () => links.length,
    isServing,
    close: () => {
      closed = true;
      clearInterval(timer);
      for (const link of links) link.retire();
    },
  };
}

/** The link with the lowest rank is picked. */
function rank(link: Link, not: Link | undefined): number {
  return link === not ? LAST : RANKS[link.state()];
}

async function isServingOrThrows(link: Link, timeoutMs: number): Promise<true> {
  if (await link.isServing(timeoutMs)) return true;
  throw new Error(`${link.address} does not serve`);
}

const RANKS: Readonly<Record<ConnectionState, number>> = {
  connected: 0,
  draining: 1,
  connecting: 2,
  failed: 3,
};
const LAST = 4;

async function addressesOf(target: string): Promise<string[]> {
  const port = target.slice(target.lastIndexOf(':'));
  const addresses = await lookup(hostAndPort(target).host, { all: true });
  return addresses.map(({ address, family }) => (family === 6 ? `[${address}]${port}` : `${address}${port}`));
}
