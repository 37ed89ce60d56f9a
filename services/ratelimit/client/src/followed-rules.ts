import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { ListBucketsResponse, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { type LimitRules, RulesReader } from './rules.ts';

const REFRESH_EVERY_MS = 5_000;
const REFRESH_TIMEOUT_MS = 2_000;

export interface FollowedRulesOptions {
  readonly client: Client<typeof RatelimitServiceDefinition>;
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

  /** Reads the rules now. @throws Fault if ratelimit does not answer */
  async refresh(timeoutMs: number): Promise<void> {
    const { client, onChange, log } = this.#options;
    const response = await client.listBuckets({}, { timeoutMs });
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
