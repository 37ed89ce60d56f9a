import { until } from '../until.ts';
import { type RedisServer, redisServer } from './redis-server.ts';

export interface TestRedisSentinel {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  readonly sentinel: RedisServer;
  /** The Sentinel's port; the primary's name is "buckets". */
  readonly url: string;
  close(): Promise<void>;
}

const NAME = 'buckets';
const READY_TIMEOUT_MS = 30_000;

/** A primary, its replica, and a Sentinel that promotes the replica soon after the primary is gone. */
export async function testRedisSentinel(): Promise<TestRedisSentinel> {
  const started: RedisServer[] = [];
  const close = async () => {
    await Promise.all(started.map((server) => server.close()));
  };
  const start = async (...options: Parameters<typeof redisServer>) => {
    const server = await redisServer(...options);
    started.push(server);
    return server;
  };
  try {
    const primary = await start({ config: ['repl-diskless-sync-delay 0'] });
    const replica = await start({ config: [`replicaof 127.0.0.1 ${primary.port}`] });
    await until('a link to the primary', READY_TIMEOUT_MS, async () => {
      const info = await replica.client.info('replication');
      return info.includes('master_link_status:up') || undefined;
    });
    const sentinel = await start({
      sentinel: true,
      config: [
        `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`,
        `sentinel down-after-milliseconds ${NAME} 300`,
        `sentinel failover-timeout ${NAME} 2000`,
      ],
    });
    // Sentinel promotes a replica only after it has queried that replica itself.
    await until('a replica that Sentinel promotes', READY_TIMEOUT_MS, async () => {
      const [seen] = (await sentinel.client.call('SENTINEL', 'REPLICAS', NAME)) as string[][]; // one list per replica
      if (seen?.includes('slave') !== true) return undefined;
      return seen[seen.indexOf('master-link-status') + 1] === 'ok' || undefined;
    });
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/${NAME}`;
    return { primary, replica, sentinel, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
