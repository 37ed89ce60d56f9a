import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { Redis } from 'ioredis';

const BUCKETS = 1_000_000;
const BATCH = 250;
const AT_A_TIME = 4;
/** A rule whose buckets live for an hour. */
const BUCKET = 'report';
const FIRST_ID = 1_000_000_000_000_000_000n;

/** Bytes per live bucket, with a million buckets and keys of typical length. */
export async function footprint(address: string, redisUrl: string): Promise<Record<string, unknown>> {
  return {
    'a live bucket in memory': { bytes: Math.round(inMemory()) },
    'five million random keys, growth after the first million': { bytes: flood() },
    'a live bucket in Redis': { bytes: Math.round(await inRedis(address, redisUrl)) },
  };
}

const account = (n: number): string => `account:${FIRST_ID + BigInt(n)}`;

function inMemory(): number {
  const rule = { name: BUCKET, index: 0, ...rate(10, 3600) };
  const before = heldBytes();
  const store = new MemoryStore({ rules: [rule], max_buckets: BUCKETS, now_us: () => 1 });
  for (let n = 0; n < BUCKETS; n++) store.decide([[[{ rule, key: account(n), cost: 1 }]]]);
  if (store.size() !== BUCKETS) throw new Error(`${store.size()} buckets are held, not ${BUCKETS}`);
  return (heldBytes() - before) / store.size();
}

/** The total growth of a full store under four million new keys. */
function flood(): number {
  const rule = { name: BUCKET, index: 0, ...rate(10, 3600) };
  const store = new MemoryStore({
    rules: [rule],
    max_buckets: BUCKETS,
    now_us: () => Math.floor(performance.now() * 1000),
  });
  const some = (): void => {
    for (let n = 0; n < BUCKETS; n++) store.decide([[[{ rule, key: `ip:${randomUUID()}`, cost: 1 }]]]);
  };
  some();
  const before = heldBytes();
  for (let million = 0; million < 4; million++) some();
  return heldBytes() - before;
}

/** Heap and typed arrays, after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function inRedis(address: string, url: string): Promise<number> {
  const redis = new Redis(url);
  const { client, close } = connect(RatelimitServiceDefinition, { address });
  let next = 0;
  const fill = async (): Promise<void> => {
    while (next < BUCKETS) {
      const from = next;
      next += BATCH;
      const checks = Array.from({ length: BATCH }, (_, n) => ({
        sets: [{ charges: [{ bucket: BUCKET, identities: [account(from + n)], cost: null }] }],
      }));
      await client.checkMany({ checks }, { timeoutMs: 10_000 });
    }
  };
  try {
    await redis.flushall();
    const before = await usedMemory(redis);
    await Promise.all(Array.from({ length: AT_A_TIME }, fill));
    const held = await redis.dbsize();
    if (held < BUCKETS / 2) throw new Error(`Redis holds ${held} buckets of ${BUCKETS}`); // some were decided by policy
    return ((await usedMemory(redis)) - before) / held;
  } finally {
    close();
    redis.disconnect();
  }
}

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}
