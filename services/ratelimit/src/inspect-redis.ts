import { silentLogger } from '@gatehouse/kit/log';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { Cluster, type Redis } from 'ioredis';
import { orTimeout } from './or-timeout.ts';
import { checkDecider } from './redis/check-decider.ts';
import { connect, withoutCommand } from './redis/connect.ts';
import { probe, readInfo, UnsuitableRedis } from './redis/probe.ts';
import { parseRedisUrl } from './redis/redis-url.ts';
import { waitUntilReady } from './redis/wait-until-ready.ts';

/** What operators need to know of the server at REDIS_URL. Facts that its user may not read are undefined. */
export interface RedisFacts {
  readonly version: string;
  /** Bytes; 0: no limit. */
  readonly maxmemory: number;
  readonly maxmemory_policy: string;
  readonly aof: boolean;
  /** The result of the last snapshot: "ok" or "err". */
  readonly last_save: string;
  /** The `save` setting; empty: no snapshots. */
  readonly save: string | undefined;
  /** Milliseconds since the Unix epoch, by its clock; and this machine's clock before and after. */
  readonly clock: { readonly at_ms: number; readonly before_ms: number; readonly after_ms: number };
}

/**
 * Connects as the service does, charges scratch buckets, and reads facts of the server.
 *
 * @param timeout_ms for all of it
 * @throws Error saying what is wrong; never with the URL's password. Its name is UnsuitableRedis if waiting does not
 * help
 */
export async function inspectRedis(url: string, timeout_ms: number): Promise<RedisFacts> {
  const target = parseRedisUrl(url);
  const { client, close } = connect(target, silentLogger, timeout_ms);
  try {
    return await orTimeout(inspect(client, target.layout, timeout_ms), timeout_ms);
  } catch (error) {
    throw error instanceof UnsuitableRedis ? error : withoutCommand(error);
  } finally {
    close();
  }
}

async function inspect(
  client: Redis | Cluster,
  layout: 'single' | 'sentinel' | 'cluster',
  timeout_ms: number,
): Promise<RedisFacts> {
  await waitUntilReady(client, timeout_ms);
  const decide = checkDecider({ client, timeout_ms, onFailure: () => undefined });
  const decideOne = async (check: Check) => (await decide({ check, withStates: false })).denial;
  await probe({ client, layout, decide: decideOne, log: silentLogger });
  const server = client instanceof Cluster ? client.nodes('master')[0] : client;
  if (server === undefined) throw new Error('the cluster has no primary');
  return factsOf(server);
}

async function factsOf(server: Redis): Promise<RedisFacts> {
  const info = readInfo(await server.info());
  const before_ms = Date.now();
  const [seconds = 0, microseconds = 0] = await server.time();
  const after_ms = Date.now();
  // Its user need not have this right.
  const save = await server.config('GET', 'save').then(
    (pair) => (Array.isArray(pair) ? String(pair[1] ?? '') : undefined),
    () => undefined,
  );
  return {
    version: info.get('redis_version') ?? 'unknown',
    maxmemory: Number(info.get('maxmemory') ?? 0),
    maxmemory_policy: info.get('maxmemory_policy') ?? 'noeviction',
    aof: info.get('aof_enabled') === '1',
    last_save: info.get('rdb_last_bgsave_status') ?? 'ok',
    save,
    clock: { at_ms: Number(seconds) * 1000 + Number(microseconds) / 1000, before_ms, after_ms },
  };
}
