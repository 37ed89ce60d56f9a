import { until } from '../until.ts';
import { type RedisServer, redisServer } from './redis-server.ts';

export interface TestRedisCluster {
  readonly nodes: readonly RedisServer[];
  readonly url: string;
  close(): Promise<void>;
}

const SLOTS = 16_384;
const NODES = 3;
const READY_TIMEOUT_MS = 30_000;

/** A Redis Cluster of three primaries on loopback. */
export async function testRedisCluster(): Promise<TestRedisCluster> {
  const config = ['cluster-node-timeout 1000', 'cluster-require-full-coverage no'];
  const start = () => redisServer({ cluster: true, config });
  const nodes = await Promise.all(Array.from({ length: NODES }, start));
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
  try {
    await Promise.all(
      nodes.map(async ({ client }, i) => {
        const first = Math.floor((i * SLOTS) / NODES);
        const last = Math.floor(((i + 1) * SLOTS) / NODES) - 1;
        await client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
        if (i > 0)
          await client.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]?.port ?? 0, nodes[0]?.bus_port ?? 0);
      }),
    );
    await Promise.all(nodes.map(untilAllSlotsAreKnown));
  } catch (error) {
    await close();
    throw error;
  }
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return { nodes, url: `redis+cluster://${hosts}`, close };
}

/** Waits until the node knows the owner of every slot. */
async function untilAllSlotsAreKnown({ client }: RedisServer): Promise<void> {
  await until('an owner of every slot', READY_TIMEOUT_MS, async () => {
    const info = String(await client.call('CLUSTER', 'INFO'));
    return (info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`)) || undefined;
  });
}
