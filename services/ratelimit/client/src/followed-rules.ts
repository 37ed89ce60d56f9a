import type { ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import type { Logger } from './logger.ts';
import { type LimitRules, RulesReader } from './rules.ts';
import type { Transport } from './transport.ts';

const REFRESH_EVERY_MS = 5_000;
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
  readonly log: Logger;
}

/** Follows the rules that ratelimit serves, read every 5 s. Until the first response, this package's rules apply. */
export class FollowedRules {
  readonly #options: FollowedRulesOptions;
  readonly #reader = new RulesReader();
  readonly #timer: NodeJS.Timeout | undefined;
  #rules: LimitRules;

  constructor(options: FollowedRulesOptions) {
    const { lists_buckets, served } = options;
    this.#options = options;
    this.#rules = served === undefined ? this.#reader.builtIn() : this.#reader.served(served);
    if (!lists_buckets) return;
    this.#timer = setInterval(() => this.#tryRefresh(), REFRESH_EVERY_MS).unref();
    if (served === undefined) this.#tryRefresh();
  }

  current(): LimitRules {
    return this.#rules;
  }

  /** Reads the rules now. @throws the transport's error */
  async refresh(timeout_ms: number): Promise<void> {
    const { transport, onChange, log } = this.#options;
    const response = await transport.listBuckets(timeout_ms);
    if (response.revision === this.#rules.revision) return;
    const isFirst = this.#rules.revision === '';
    this.#rules = this.#reader.served(response);
    onChange(this.#rules);
    if (!isFirst) log.info({ revision: response.revision }, 'ratelimit has other rules');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tryRefresh(): void {
    if (!this.#options.isUnavailable()) this.refresh(REFRESH_TIMEOUT_MS).catch(() => undefined); // the next attempt may succeed
  }
}
