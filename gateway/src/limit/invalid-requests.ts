import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { drained, emptyAfter, filled, rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { RateLimited } from '../http/http-error.ts';
import type { Route } from '../route.ts';
import { rateLimited } from './rate-limited.ts';

/**
 * Refuses an address after too many answers of 401, 403 or 429, or of 404 on paths with guessable codes and tokens.
 */
export interface InvalidRequests {
  /** @throws RateLimited until the address's level has drained */
  admit(address: string): void;
  count(address: string, status: number, route: Route | undefined): void;
  /** The number of counted addresses. */
  size(): number;
}

export interface InvalidRequestsOptions {
  /** Per ten minutes; undefined: nothing is counted. */
  readonly limit: number | undefined;
  /** Edges that share the limit. */
  readonly replicas: number;
  readonly now_us: MicrosecondClock;
  onRefused(): void;
}

interface Counted {
  level: number;
  at_us: number;
  /** Whether it has exceeded the limit, and not drained since. */
  blocked: boolean;
}

const WINDOW_SECONDS = 600;
const MAX_ADDRESSES = 65_536;

export function invalidRequests({
  limit,
  replicas,
  now_us,
  onRefused,
}: InvalidRequestsOptions): InvalidRequests {
  if (limit === undefined) return { admit: () => undefined, count: () => undefined, size: () => 0 };
  const share = rate(Math.max(1, Math.floor(limit / replicas)), WINDOW_SECONDS);
  const addresses = new Map<string, Counted>();

  function levelOf(one: Counted): number {
    return drained(share, one.level, one.at_us, now_us());
  }

  function admit(address: string): void {
    const one = addresses.get(address);
    if (one?.blocked !== true) return;
    const level = levelOf(one);
    if (level === 0) {
      addresses.delete(address);
      return;
    }
    onRefused();
    throw refusal(emptyAfter(share, level));
  }

  function count(address: string, status: number, route: Route | undefined): void {
    if (!isInvalid(status, route)) return;
    const one = addresses.get(address) ?? { level: 0, at_us: 0, blocked: false };
    if (one.blocked) return; // a refusal does not count itself
    one.level = filled(share, levelOf(one), 1);
    one.at_us = now_us();
    one.blocked = one.level > share.capacity;
    addresses.delete(address); // keeps the most recently counted address last
    addresses.set(address, one);
    if (addresses.size > MAX_ADDRESSES) forgetOldest();
  }

  function forgetOldest(): void {
    for (const address of addresses.keys()) {
      addresses.delete(address);
      return;
    }
  }

  return { admit, count, size: () => addresses.size };
}

function isInvalid(status: number, route: Route | undefined): boolean {
  if (status === 404) return route !== undefined && hasSecretInPath(route);
  return status === 401 || status === 403 || status === 429;
}

/** Tokens of webhooks, and codes of invites. */
function hasSecretInPath({ path, params }: Route): boolean {
  return path.startsWith('/invites/') || (path.startsWith('/webhooks/') && params.includes('token'));
}

/** A denial like one of the global bucket: no bucket of a route denied. */
function refusal(empty_after_us: number): RateLimited {
  return rateLimited({ bucket: 'global', limit: 0, retry_after_us: empty_after_us, empty_after_us });
}
