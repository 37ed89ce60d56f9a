import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { drained, emptyAfter, filled } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import { type Rate, rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { RateLimited } from '../http/http-error.ts';
import type { Route } from '../route.ts';
import { rateLimited } from './rate-limited.ts';

export interface InvalidRequestsOptions {
  /** Per ten minutes; undefined: nothing is counted. */
  readonly limit: number | undefined;
  /** Edges that share the limit. */
  readonly replicas: number;
  readonly now_us: MicrosecondClock;
  onRefused(): void;
}

/** The leaky bucket of an IP group. */
interface GroupBucket {
  level: number;
  at_us: number;
  /** Whether it has exceeded the limit, and not drained since. */
  blocked: boolean;
}

const WINDOW_SECONDS = 600;
const MAX_BUCKETS = 65_536;

/**
 * Refuses an IP group after too many answers of 401, 403 or 429, or of 404 on paths with guessable codes and tokens.
 * Each group has a leaky bucket of its answers.
 */
export class InvalidRequests {
  readonly #options: InvalidRequestsOptions;
  /** This edge's share of the limit; undefined: nothing is counted. */
  readonly #share: Rate | undefined;
  /** In the order of their last answers. */
  readonly #buckets = new Map<string, GroupBucket>();

  constructor(options: InvalidRequestsOptions) {
    const { limit, replicas } = options;
    this.#options = options;
    if (limit !== undefined) this.#share = rate(Math.max(1, Math.floor(limit / replicas)), WINDOW_SECONDS);
  }

  /** The number of counted IP groups. */
  size(): number {
    return this.#buckets.size;
  }

  /** @throws RateLimited until the group's level has drained */
  admit(ipGroup: string): void {
    const bucket = this.#buckets.get(ipGroup);
    if (this.#share === undefined || bucket?.blocked !== true) return;
    const level = this.#levelOf(bucket, this.#share);
    if (level === 0) {
      this.#buckets.delete(ipGroup);
      return;
    }
    this.#options.onRefused();
    throw groupDenied(emptyAfter(this.#share, level, this.#options.now_us()));
  }

  count(ipGroup: string, status: number, route: Route | undefined): void {
    if (this.#share === undefined || !isInvalid(status, route)) return;
    const bucket = this.#buckets.get(ipGroup) ?? { level: 0, at_us: 0, blocked: false };
    if (bucket.blocked) return; // its refusals do not count
    bucket.level = filled(this.#share, this.#levelOf(bucket, this.#share), 1);
    bucket.at_us = this.#options.now_us();
    bucket.blocked = bucket.level > this.#share.capacity;
    this.#buckets.delete(ipGroup); // so that `set` puts it last
    this.#buckets.set(ipGroup, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#forgetOldest();
  }

  #levelOf(bucket: GroupBucket, share: Rate): number {
    return drained(share, bucket.level, bucket.at_us, this.#options.now_us());
  }

  #forgetOldest(): void {
    for (const ipGroup of this.#buckets.keys()) {
      this.#buckets.delete(ipGroup);
      return;
    }
  }
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
function groupDenied(empty_after_us: number): RateLimited {
  return rateLimited({ bucket: 'global', limit: 0, retry_after_us: empty_after_us, empty_after_us });
}
