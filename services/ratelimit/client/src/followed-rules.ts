import type { ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import type { Logger } from './logger.ts';
import { type LimitRules, RulesReader } from './rules.ts';
import type { Transport } from './transport.ts';

const REFRESH_EVERY_MS = 5_000;
/** While denials are remembered. An operator's change ends them at all replicas of ratelimit within 250 ms. */
const DENIALS_EVERY_MS = 500;
const REFRESH_TIMEOUT_MS = 2_000;

export interface FollowedRulesOptions {
  readonly transport: Pick<Transport<never>, 'listBuckets'>;
  /** Whether this process may call ListBuckets. False: the rules never change. */
  readonly lists_buckets: boolean;
  /** A response of ListBuckets, if the caller has one. */
  readonly served: ListBucketsResponse | undefined;
  /** Whether ratelimit does not answer now. */
  isUnavailable(): boolean;
  onChange(rules: LimitRules): void;
  /** Whether denials are remembered, which an operator may end. */
  remembersDenials(): boolean;
  /** Remembered denials may have ended early, perhaps just now. */
  onDenialsEnded(isNew: boolean): void;
  readonly log: Logger;
}

/**
 * Follows the rules that ratelimit serves, read every 5 s. Until the first response, this package's rules apply. While denials
 * are remembered, it asks every 500 ms whether an operator has ended some.
 */
export class FollowedRules {
  readonly #options: FollowedRulesOptions;
  readonly #reader = new RulesReader();
  readonly #timer: NodeJS.Timeout | undefined;
  #rules: LimitRules;
  #denialsVersion: string | undefined;
  #refreshed_ms = performance.now();

  constructor(options: FollowedRulesOptions) {
    const { lists_buckets, served } = options;
    this.#options = options;
    this.#rules = served === undefined ? this.#reader.builtIn() : this.#reader.served(served);
    this.#denialsVersion = served?.denials_version ?? undefined;
    if (!lists_buckets) return;
    this.#timer = setInterval(() => this.#refreshIfDue(), DENIALS_EVERY_MS).unref();
    if (served === undefined) this.#tryRefresh();
  }

  current(): LimitRules {
    return this.#rules;
  }

  /** Reads the rules now. @throws the transport's error */
  async refresh(timeout_ms: number): Promise<void> {
    const { transport, onChange, onDenialsEnded, log } = this.#options;
    this.#refreshed_ms = performance.now();
    const known_revision = this.#rules.revision;
    const response = await transport.listBuckets(timeout_ms, { known_revision });
    const before = this.#denialsVersion;
    this.#denialsVersion = response.denials_version ?? before;
    if (this.#denialsVersion !== before) onDenialsEnded(before !== undefined);
    // The answer has no buckets if the revision is the one that this client had when it asked.
    if (response.revision === known_revision || response.revision === this.#rules.revision) return;
    const isFirst = this.#rules.revision === '';
    this.#rules = this.#reader.served(response);
    onChange(this.#rules);
    if (!isFirst) log.info({ revision: response.revision }, 'ratelimit has other rules');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #refreshIfDue(): void {
    const isDue = performance.now() - this.#refreshed_ms >= REFRESH_EVERY_MS;
    if (isDue || this.#options.remembersDenials()) this.#tryRefresh();
  }

  #tryRefresh(): void {
    if (!this.#options.isUnavailable()) this.refresh(REFRESH_TIMEOUT_MS).catch(() => undefined); // the next attempt may succeed
  }
}
