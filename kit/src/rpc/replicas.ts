import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Logger } from '../log.ts';
import { type Link, openLink, type Transport } from './link.ts';

const RESOLVE_EVERY_MS = 5_000;
/** Links are renewed so that replicas behind one address share the work anew. */
const RENEW_AFTER_MS = 5 * 60_000;

/** The links to all replicas of a service. */
export interface Replicas {
  /** The least busy link, other than `not` where there is another. */
  pick(not?: Link): Link;
  close(): void;
}

export interface ReplicasOptions {
  /** host:port, or several joined by commas; a host name stands for all its addresses. */
  readonly address: string;
  readonly transport: Transport;
  readonly log: Logger;
  readonly renewAfterMs?: number;
}

export function replicas({
  address,
  transport,
  log,
  renewAfterMs = RENEW_AFTER_MS,
}: ReplicasOptions): Replicas {
  const targets = address.split(',').map((target) => target.trim());
  const links = new Map<string, Link>();
  const named = targets.filter((target) => isIP(hostOf(target)) === 0);
  let turn = 0;
  for (const target of targets) links.set(target, openLink(target, transport));

  const timer = setInterval(
    () => {
      renewOld();
      if (named.length > 0) void resolveNames();
    },
    Math.min(RESOLVE_EVERY_MS, renewAfterMs),
  );
  timer.unref();

  function pick(not?: Link): Link {
    const all = [...links.values()];
    turn = (turn + 1) % all.length;
    let best = all[turn] as Link;
    for (const link of all) {
      if (best === not || (link !== not && link.inFlight() < best.inFlight())) best = link;
    }
    return best;
  }

  /** With jitter of a fifth, so that the clients of a service do not all renew at once. */
  function renewOld(): void {
    for (const [target, link] of links) {
      if (Date.now() - link.openedAt < renewAfterMs * (0.8 + Math.random() * 0.2)) continue;
      links.set(target, openLink(target, transport));
      link.retire();
    }
  }

  /** A name that cannot be resolved now keeps the links that it had. */
  async function resolveNames(): Promise<void> {
    try {
      const resolved = await Promise.all(named.map(addressesOf));
      setTargets(new Set([...targets.filter((target) => !named.includes(target)), ...resolved.flat()]));
    } catch (error) {
      log.warn({ err: error }, 'cannot resolve a peer');
    }
  }

  function setTargets(wanted: ReadonlySet<string>): void {
    for (const target of wanted) {
      if (!links.has(target)) links.set(target, openLink(target, transport));
    }
    for (const [target, link] of links) {
      if (wanted.has(target)) continue;
      links.delete(target);
      link.retire();
    }
  }

  return {
    pick,
    close: () => {
      clearInterval(timer);
      for (const link of links.values()) link.retire();
    },
  };
}

function hostOf(target: string): string {
  return target.slice(0, target.lastIndexOf(':')).replace(/^\[|\]$/g, '');
}

async function addressesOf(target: string): Promise<string[]> {
  const port = target.slice(target.lastIndexOf(':'));
  const addresses = await lookup(hostOf(target), { all: true });
  return addresses.map(({ address, family }) => (family === 6 ? `[${address}]${port}` : `${address}${port}`));
}
