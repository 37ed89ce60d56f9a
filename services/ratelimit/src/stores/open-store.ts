import type { Resources } from '@gatehouse/kit/lifecycle';
import type { Logger } from '@gatehouse/kit/log';
import type { BatchWatch } from '@gatehouse/kit/queues/batch';
import { FailurePolicies } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { DenialCache } from '@gatehouse/ratelimit-client/denials/denial-cache';
import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import { Sweeper } from '@gatehouse/ratelimit-client/leaky-bucket/sweeper';
import type { Config } from '../config.ts';
import type { SharedValues } from '../overrides/shared-values.ts';
import type { RedisStore } from '../redis/redis-store.ts';
import { SHARES_WITH_DESCRIPTORS, STORE_SHARES } from '../reference/store-shares.ts';
import type { AppliedRules } from './applied-rules.ts';
import { type GuardedStore, guardedStore, localStore } from './guarded-store.ts';

/** The opened store, and the parts around it. */
export interface OpenStore {
  readonly name: 'memory' | 'redis';
  readonly store: GuardedStore;
  /** Undefined with a store in this process, which is as fast. */
  readonly denials: DenialCache | undefined;
  /** The buckets in this process: all of them, or those of failure policies. */
  readonly memory: MemoryStore;
  /** The values that all replicas share; undefined with a store in this process. */
  readonly values: SharedValues | undefined;
}

export interface OpenStoreOptions {
  readonly config: Config;
  readonly rules: AppliedRules;
  readonly now_us: MicrosecondClock;
  readonly log: Logger;
  readonly resources: Resources;
  /** Called with the time of each answer of a store in another process. */
  readonly onAnswer: (seconds: number) => void;
  /** Watches the batches that are sent to it. */
  readonly watch: BatchWatch | undefined;
}

/** Opens Redis if the configuration names one, otherwise this process's memory. */
export async function openStore(options: OpenStoreOptions): Promise<OpenStore> {
  const { config, now_us, log, resources } = options;
  const opened =
    config.redis_url === undefined ? inMemory(options) : await inRedis(options, config.redis_url);
  const sweeper = new Sweeper(opened.memory, now_us, log);
  resources.add('sweeper', () => sweeper.close());
  return opened;
}

function inMemory({ config, rules, now_us }: OpenStoreOptions): OpenStore {
  const memory = new MemoryStore({
    rules: rules.rules(),
    max_buckets: config.max_buckets,
    shares: sharesOf(config),
    now_us,
  });
  rules.onReload(() => memory.setRules(rules.rules()));
  return { name: 'memory', store: localStore(memory), denials: undefined, memory, values: undefined };
}

async function inRedis(options: OpenStoreOptions, url: string): Promise<OpenStore> {
  const { config, rules, now_us, log, resources, onAnswer, watch } = options;
  const timeout_ms = config.redis_timeout_ms;
  const { openRedisStore } = await import('../redis/redis-store.ts'); // its client takes 8 MB
  const redis = await openRedisStore({ url, log, timeout_ms, watch });
  resources.add('redis', () => redis.close());
  const denials = new DenialCache({
    now_us,
    isCurrent: rules.isCurrent,
  });
  const policies = new FailurePolicies({
    rules: rules.rules(),
    replicas: config.replicas,
    max_buckets: config.max_buckets,
    shares: sharesOf(config),
    now_us,
    denialFor: (set) => denials.denialFor(set),
  });
  rules.onReload(() => {
    denials.clear();
    policies.setRules(rules.rules());
  });
  const store = guardedStore({
    store: redis,
    policies,
    log,
    isUp: await answers(redis),
    timeout_ms,
    onAnswer,
  });
  resources.add('store', store.close);
  return { name: 'redis', store, denials, memory: policies.store, values: redis.sharedValues() };
}

function sharesOf({ descriptors }: Config): readonly number[] {
  return descriptors === undefined ? STORE_SHARES : SHARES_WITH_DESCRIPTORS;
}

/** Whether the server answers. If not, failure policies decide until it does. */
function answers(redis: RedisStore): Promise<boolean> {
  return redis.ping().then(
    () => true,
    () => false,
  );
}
