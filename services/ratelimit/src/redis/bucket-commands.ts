import type { Bucket, ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { Cluster, type Redis } from 'ioredis';
import { SERVER_CLOCK } from './check-queue.ts';
import { redisKey } from './redis-key.ts';
import { runScript, script } from './script.ts';
import { slotOf } from './slots.ts';
import { storedBucketState } from './stored-bucket.ts';

const READ = script('./read.lua');

/** Reads buckets, in their order. @param now_us as in CheckQueueOptions */
export async function readBuckets(
  client: Redis | Cluster,
  buckets: readonly Bucket[],
  now_us?: () => number,
): Promise<ReadState[]> {
  const states = new Map<Bucket, ReadState>();
  await Promise.all(
    groupsOf(client, buckets).map(async (group) => {
      const reply = await runScript(client, READ, group.map(redisKey), []);
      const [seconds, micros, values] = reply as [Buffer, Buffer, (Buffer | null)[]]; // as in read.lua
      const given_us = now_us?.() ?? SERVER_CLOCK;
      const at_us = given_us < 0 ? Number(seconds) * 1e6 + Number(micros) : given_us;
      for (const [i, bucket] of group.entries())
        states.set(bucket, storedBucketState(bucket, values[i] ?? null, at_us));
    }),
  );
  return buckets.flatMap((bucket) => states.get(bucket) ?? []);
}

export async function removeBuckets(client: Redis | Cluster, buckets: readonly Bucket[]): Promise<void> {
  await Promise.all(groupsOf(client, buckets).map((group) => client.del(...group.map(redisKey))));
}

/** Any primary of a cluster is enough: one that is down must not disable the others. */
export async function ping(client: Redis | Cluster): Promise<void> {
  if (client instanceof Cluster) await Promise.any(client.nodes('master').map((node) => node.ping()));
  else await client.ping();
}

/** The buckets of one command: in a cluster, those of one slot. */
function groupsOf(client: Redis | Cluster, buckets: readonly Bucket[]): Bucket[][] {
  if (buckets.length === 0) return [];
  if (!(client instanceof Cluster)) return [[...buckets]];
  return [...Map.groupBy(buckets, (bucket) => slotOf(redisKey(bucket))).values()];
}
