import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Logger } from '../log.ts';
import { hostAndPort } from '../net/host-port.ts';
import type { ConnectionState, Link } from './link.ts';
import { type LinkOptions, openLink } from './open-link.ts';

const RESOLVE_EVERY_MS = 5_000;
/** The default age at which a link is renewed. A new link may reach another replica behind the same address. */
export const RENEW_AFTER_MS = 5 * 60_000;

export interface ReplicasOptions extends LinkOptions {
  /** host:port, or several separated by commas; a host name stands for all its addresses. */
  readonly address: string;
  readonly log: Logger;
  readonly renewAfterMs: number;
}

/** The links to all replicas of a service. */
export class Replicas {
  readonly #linkOptions: LinkOptions;
  readonly #log: Logger;
  readonly #renewAfterMs: number;
  readonly #targets: readonly string[];
  readonly #hostNames: readonly string[];
  readonly #timer: NodeJS.Timeout;
  #links: readonly Link[];
  #turn = 0;
  #resolving = false;
  #closed = false;

  constructor({ address, log, renewAfterMs, ...linkOptions }: ReplicasOptions) {
    this.#linkOptions = linkOptions;
    this.#log = log;
    this.#renewAfterMs = renewAfterMs;
    this.#targets = address.split(',').map((target) => target.trim());
    const isLocal = (target: string): boolean => linkOptions.local?.servers.owns(target) ?? false;
    this.#hostNames = this.#targets.filter(
      (target) => isIP(hostAndPort(target).host) === 0 && !isLocal(target),
    );
    this.#links = [...new Set(this.#targets)].map((target) => openLink(target, linkOptions));
    this.#timer = setInterval(() => this.#maintain(), Math.min(RESOLVE_EVERY_MS, renewAfterMs)).unref();
    this.#maintain();
  }

  get count(): number {
    return this.#links.length;
  }

  /** Returns the least busy connected link. `failed` is returned only if there is no other. */
  pick(failed?: Link): Link {
    const links = this.#links;
    this.#turn = (this.#turn + 1) % links.length;
    let best = links[this.#turn] as Link;
    if (links.length === 1) return best;
    for (const link of links) {
      const difference = rank(link, failed) - rank(best, failed);
      if (difference < 0 || (difference === 0 && link.inFlight < best.inFlight)) best = link;
    }
    return best;
  }

  /**
   * Whether a replica answers SERVING (grpc.health.v1) in time and takes calls now. The others are asked only if the
   * one that a call would go to does not.
   */
  async isServing(timeoutMs: number): Promise<boolean> {
    const links = this.#links;
    const first = this.pick();
    const half_ms = timeoutMs / 2;
    if (await first.isServing(links.length === 1 ? timeoutMs : half_ms)) return true;
    const others = links.filter((link) => link !== first).map((link) => isServingOrThrows(link, half_ms));
    return Promise.any(others).catch(() => false);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const link of this.#links) link.retire();
  }

  #maintain(): void {
    this.#renewOld();
    if (this.#hostNames.length > 0 && !this.#resolving) void this.#resolveNames();
  }

  /** Renews with a jitter of a fifth, so that the clients of a service do not all renew at the same time. */
  #renewOld(): void {
    const old = this.#links.filter(
      ({ openedAt_ms }) =>
        performance.now() - openedAt_ms >= this.#renewAfterMs * (0.8 + Math.random() * 0.2),
    );
    if (old.length === 0) return;
    this.#links = this.#links.map((link) =>
      old.includes(link) ? openLink(link.address, this.#linkOptions) : link,
    );
    for (const link of old) link.retire();
  }

  /** If a name cannot be resolved, its links stay as they are. */
  async #resolveNames(): Promise<void> {
    this.#resolving = true;
    try {
      const resolved = await Promise.all(this.#hostNames.map(addressesOf));
      const numeric = this.#targets.filter((target) => !this.#hostNames.includes(target));
      if (!this.#closed) this.#setTargets(new Set([...numeric, ...resolved.flat()]));
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot resolve a peer');
    }
    this.#resolving = false;
  }

  /** Links to addresses that are gone stay until another link is connected. */
  #setTargets(wanted: ReadonlySet<string>): void {
    const known = new Set(this.#links.map((link) => link.address));
    const added = [...wanted].filter((target) => !known.has(target));
    const links = [...this.#links, ...added.map((target) => openLink(target, this.#linkOptions))];
    const kept = links.filter((link) => wanted.has(link.address));
    this.#links = links;
    if (kept.length === links.length || !kept.some((link) => link.state() === 'connected')) return;
    for (const link of links) if (!wanted.has(link.address)) link.retire();
    this.#links = kept;
  }
}

/** The link with the lowest rank is picked. */
function rank(link: Link, failed: Link | undefined): number {
  return link === failed ? LAST : RANKS[link.state()];
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
