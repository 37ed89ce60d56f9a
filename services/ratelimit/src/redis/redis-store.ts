import { unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { BatchWatch } from '@gatehouse/kit/queues/batch';
import type {
  Bucket,
  Check,
  Decision,
  Outcome,
  ReadState,
  Store,
} from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { orTimeout } from '../or-timeout.ts';
import type { SharedValues } from '../overrides/shared-values.ts';
import type { BatchedCheck } from './batch.ts';
import { ping, readBuckets, removeBuckets } from './bucket-commands.ts';
import { checkDecider } from './check-decider.ts';
import { storeFault } from './check-queue.ts';
import { connect, type RedisConnection } from './connect.ts';
import { failureLog } from './failure-log.ts';
import { parseRedisUrl } from './redis-url.ts';
import { redisValues } from './redis-values.ts';
import { ServerReadiness } from './server-readiness.ts';

const SHARED_TIMEOUT_MS = 1_000;

export interface RedisStoreOptions {
  /** In the forms of redis-url.ts. */
  readonly url: string;
  readonly log: Logger;
  /** As in CheckQueueOptions. */
  readonly now_us?: () => number;
  /** Maximum time of a command, and of a check's wait to be sent; 25 by default. */
  readonly timeout_ms?: number;
  readonly watch?: BatchWatch | undefined;
}

/**
 * Opens buckets in Redis or Valkey: one server, the primary that Sentinels name, or a Redis Cluster. If none
 * answers, the store opens nevertheless, and every call fails until one does.
 *
 * @throws Error if the URL is malformed; UnsuitableRedis if the server cannot keep buckets
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const store = new RedisStore(options);
  try {
    await store.start();
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** A store that several processes share. It rejects only with a Fault, and within twice `timeout_ms`. */
class RedisStore implements Store {
  readonly #connection: RedisConnection;
  readonly #readiness: ServerReadiness;
  readonly #decideOne: (check: BatchedCheck) => Promise<Outcome>;
  readonly #now_us: (() => number) | undefined;
  readonly #timeout_ms: number;
  readonly #onFailure: (error: unknown) => void;

  constructor({ url, log, now_us, timeout_ms = 25, watch }: RedisStoreOptions) {
    const target = parseRedisUrl(url);
    this.#connection = connect(target, log, timeout_ms);
    this.#now_us = now_us;
    this.#timeout_ms = timeout_ms;
    this.#onFailure = failureLog(log);
    const common = { client: this.#connection.client, onFailure: this.#onFailure };
    this.#readiness = new ServerReadiness({ ...common, layout: target.layout, log });
    this.#decideOne = checkDecider({ ...common, now_us, timeout_ms, watch });
  }

  /** @throws UnsuitableRedis */
  async start(): Promise<void> {
    await this.#readiness.start();
  }

  async decide(checks: readonly Check[]): Promise<readonly Decision[]> {
    return (await Promise.all(this.decideEach(checks, false))).map(({ denial }) => denial);
  }

  async decideAndRead(check: Check): Promise<Outcome> {
    if (!this.#readiness.isReady()) throw notReady();
    return await this.#decideOne({ check, withStates: true });
  }

  /** Like `decide`, but each check fails by itself, since one node of a cluster may be down. */
  decideEach(checks: readonly Check[], withStates: boolean): readonly Promise<Outcome>[] {
    if (this.#readiness.isReady()) return checks.map((check) => this.#decideOne({ check, withStates }));
    const fault = notReady();
    return checks.map(() => Promise.reject(fault));
  }

  async read(buckets: readonly Bucket[]): Promise<readonly ReadState[]> {
    return await this.#command(() => readBuckets(this.#connection.client, buckets, this.#now_us));
  }

  /** Values that all replicas share, beside the buckets. A command waits longer than a check does. */
  sharedValues(): SharedValues {
    const values = redisValues(this.#connection.client);
    return {
      read: (names) => this.#command(() => values.read(names), SHARED_TIMEOUT_MS),
      swap: (swap) => this.#command(() => values.swap(swap), SHARED_TIMEOUT_MS),
    };
  }

  async reset(buckets: readonly Bucket[]): Promise<void> {
    await this.#command(() => removeBuckets(this.#connection.client, buckets));
  }

  /** Resolves when a server answers; changes nothing. */
  async ping(): Promise<void> {
    await this.#command(() => ping(this.#connection.client));
  }

  close(): void {
    this.#readiness.close();
    this.#connection.close();
  }

  async #command<T>(run: () => Promise<T>, timeout_ms = this.#timeout_ms): Promise<T> {
    if (!this.#readiness.isReady()) throw notReady();
    try {
      return await orTimeout(run(), timeout_ms);
    } catch (error) {
      this.#onFailure(error);
      throw storeFault(error);
    }
  }
}

export type { RedisStore };

function notReady() {
  return unavailable(new Error('redis has not answered yet'));
}
