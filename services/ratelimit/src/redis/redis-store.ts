import { unavailable } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { BatchWatch } from '@gatehouse/kit/queues/batch';
import type {
  Bucket,
  BucketState,
  Check,
  Decision,
  Store,
} from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { Cluster, type Redis } from 'ioredis';
import { within } from '../deadline.ts';
import { answering } from './answering.ts';
import { connect, withoutCommand } from './connect.ts';
import { failureLog } from './failure-log.ts';
import { type Ask, nodeQueue, type RedisDeps, storeFault } from './node-queue.ts';
import { probe, UnservableRedis } from './probe.ts';
import { redisKey } from './redis-key.ts';
import { parseRedisUrl } from './redis-url.ts';
import { runScript, script } from './script.ts';
import { slotOf } from './slots.ts';
import { stateOf } from './stored-bucket.ts';
import { decideAcrossSlots } from './two-phases.ts';

export interface RedisStoreOptions {
  /** In the forms of redis-url.ts. */
  readonly url: string;
  readonly log: Logger;
  /** For tests: a clock instead of the server's own. */
  readonly now_us?: () => number;
  /** Maximum time of a command, and of a check's wait to be sent; 25. */
  readonly timeout_ms?: number;
  readonly watch?: BatchWatch | undefined;
}

/** A store that several processes share. It rejects only with a Fault, and within twice `timeout_ms`. */
export interface RedisStore extends Store {
  decide(checks: readonly Check[]): Promise<readonly Decision[]>;
  /** Like `decide`, but each check fails by itself: one node of a cluster may be down. */
  decideEach(checks: readonly Check[]): readonly Promise<Decision>[];
  read(buckets: readonly Bucket[]): Promise<readonly BucketState[]>;
  reset(buckets: readonly Bucket[]): Promise<void>;
  /** Resolves when a server answers; changes nothing. */
  ping(): Promise<void>;
  close(): void;
}

/** Maximum time for which a start waits for the server. */
const START_MS = 1000;
/** Maximum time for each of its charges; a silent node of a cluster must leave time for the others. */
const PROBE_MS = 300;
const PROBE_AGAIN_MS = 200;
const SERVER_CLOCK = -1;
const READ = script('./read.lua');

/**
 * Leaky buckets in Redis or Valkey: one server, the primary that Sentinels name, or a Redis Cluster. If none answers,
 * the store opens all the same, and every call fails until one does.
 *
 * @throws Error if the URL is malformed; UnservableRedis if the server cannot keep buckets
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<RedisStore> {
  const { log, timeout_ms = 25, watch } = options;
  const { url, now_us = () => SERVER_CLOCK } = options;
  const target = parseRedisUrl(url);
  const { client, close: disconnect } = connect(target, log);
  const failed = failureLog(log);
  const deps: RedisDeps = { client, now_us, timeout_ms, watch, failed };
  const decideOne = decider(deps);
  let proven = false;
  let again: NodeJS.Timeout | undefined;

  async function prove(): Promise<void> {
    const patient = decider({ client, now_us: () => SERVER_CLOCK, timeout_ms: PROBE_MS, failed });
    await answering(client, START_MS);
    await within(probe({ client, layout: target.layout, decide: patient, log }), START_MS);
    proven = true;
  }

  /** Probes the server once it answers. */
  function proveLater(refusedBefore: boolean): void {
    again = setTimeout(async () => {
      if (client.status !== 'ready') return proveLater(refusedBefore);
      try {
        await prove();
        log.info('redis answers');
      } catch (error) {
        const refused = error instanceof UnservableRedis;
        if (refused && !refusedBefore) log.error({ err: error }, 'redis cannot be used');
        if (again !== undefined) proveLater(refused);
      }
    }, PROBE_AGAIN_MS).unref();
  }

  function close(): void {
    clearTimeout(again);
    again = undefined;
    disconnect();
  }

  async function command<T>(work: () => Promise<T>): Promise<T> {
    if (!proven) throw unavailable(new Error('redis has not answered yet'));
    try {
      return await within(work(), timeout_ms);
    } catch (error) {
      failed(error);
      throw storeFault(error);
    }
  }

  function decideEach(checks: readonly Check[]): Promise<Decision>[] {
    if (proven) return checks.map(decideOne);
    const fault = unavailable(new Error('redis has not answered yet'));
    return checks.map(() => Promise.reject(fault));
  }

  try {
    await prove();
  } catch (error) {
    if (error instanceof UnservableRedis) {
      close();
      throw error;
    }
    log.warn({ err: withoutCommand(error) }, 'redis does not answer: starting without it');
    proveLater(false);
  }

  return {
    decide: (checks) => Promise.all(decideEach(checks)),
    decideEach,
    read: (buckets) => command(() => readBuckets(deps, buckets)),
    reset: (buckets) => command(() => removeBuckets(client, buckets)),
    ping: () => command(() => pingOf(client)),
    close,
  };
}

function decider(deps: RedisDeps): (check: Check) => Promise<Decision> {
  const { client } = deps;
  if (!(client instanceof Cluster)) {
    const ask = nodeQueue(deps);
    return (check) => ask(0, check);
  }
  // One queue per node, so that a slow node delays no other.
  const queues = new Map<string, Ask>();
  return decideAcrossSlots((slot, check) => {
    const node = client.slots[slot]?.[0] ?? '';
    let ask = queues.get(node);
    if (ask === undefined) {
      ask = nodeQueue(deps);
      queues.set(node, ask);
    }
    return ask(slot, check);
  });
}

async function readBuckets(deps: RedisDeps, buckets: readonly Bucket[]): Promise<BucketState[]> {
  const states = new Map<Bucket, BucketState>();
  await Promise.all(
    groupsOf(deps.client, buckets).map(async (group) => {
      const reply = await runScript(deps.client, READ, group.map(redisKey), []);
      const [seconds, micros, values] = reply as [Buffer, Buffer, (Buffer | null)[]]; // read.lua says so
      const given_us = deps.now_us();
      const now_us = given_us < 0 ? Number(seconds) * 1e6 + Number(micros) : given_us;
      for (const [i, bucket] of group.entries())
        states.set(bucket, stateOf(bucket, values[i] ?? null, now_us));
    }),
  );
  return buckets.flatMap((bucket) => states.get(bucket) ?? []);
}

async function removeBuckets(client: Redis | Cluster, buckets: readonly Bucket[]): Promise<void> {
  await Promise.all(groupsOf(client, buckets).map((group) => client.del(...group.map(redisKey))));
}

/** The buckets of one command: in a cluster, those of one slot. */
function groupsOf(client: Redis | Cluster, buckets: readonly Bucket[]): Bucket[][] {
  if (buckets.length === 0) return [];
  if (!(client instanceof Cluster)) return [[...buckets]];
  return [...Map.groupBy(buckets, (bucket) => slotOf(redisKey(bucket))).values()];
}

/** Any primary of a cluster is enough: one that is down must not disable the others. */
async function pingOf(client: Redis | Cluster): Promise<void> {
  if (client instanceof Cluster) await Promise.any(client.nodes('master').map((node) => node.ping()));
  else await client.ping();
}
