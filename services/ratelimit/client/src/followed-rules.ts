import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { ListBucketsResponse, RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { type LimitRules, rulesReader } from './rules.ts';

const REFRESH_EVERY_MS = 5_000;
const REFRESH_TIMEOUT_MS = 2_000;

/** The rules that ratelimit serves, as far as this process knows. */
export interface FollowedRules {
  current(): LimitRules;
  /** Reads them now. @throws Fault where ratelimit does not answer */
  refresh(timeoutMs: number): Promise<void>;
  close(): void;
}

export interface FollowedRulesOptions {
  readonly client: Client<typeof RatelimitServiceDefinition>;
  /** False: the rules stay as they are. */
  readonly lists_buckets: boolean;
  /** What ListBuckets has answered; undefined: not asked yet. */
  readonly served: ListBucketsResponse | undefined;
  /** Whether it is no use to ask now. */
  isAway(): boolean;
  onChange(rules: LimitRules): void;
  readonly log: Logger;
}

/** Reads the rules every 5 s; until there is an answer, those that this package came with hold. */
export function followedRules(options: FollowedRulesOptions): FollowedRules {
  const { client, lists_buckets, served, isAway, onChange, log } = options;
  const reader = rulesReader();
  let rules = served === undefined ? reader.builtIn() : reader.served(served);

  async function refresh(timeoutMs: number): Promise<void> {
    const now = await client.listBuckets({}, { timeoutMs });
    if (now.revision === rules.revision) return;
    const isFirst = rules.revision === '';
    rules = reader.served(now);
    onChange(rules);
    if (!isFirst) log.info({ revision: now.revision }, 'ratelimit has other rules');
  }

  function refreshQuietly(): void {
    if (!isAway()) refresh(REFRESH_TIMEOUT_MS).catch(() => undefined); // the next one may succeed
  }

  const timer = lists_buckets ? setInterval(refreshQuietly, REFRESH_EVERY_MS).unref() : undefined;
  if (lists_buckets && served === undefined) refresh(REFRESH_TIMEOUT_MS).catch(() => undefined);
  return { current: () => rules, refresh, close: () => clearInterval(timer) };
}
