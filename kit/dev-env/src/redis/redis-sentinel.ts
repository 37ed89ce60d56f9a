import { setTimeout as sleep } from 'node:timers/promises';
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
    await untilTrue(async () => (await replica.client.info('replication')).includes('master_link_status:up'));
    const sentinel = await start({
      sentinel: true,
      config: [
        `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 1`,
        `sentinel down-after-milliseconds ${NAME} 300`,
        `sentinel failover-timeout ${NAME} 2000`,
      ],
    });
    // Sentinel promotes a replica only after it has queried that replica itself.
    await untilTrue(async () => {
      const [seen] = (await sentinel.client.call('SENTINEL', 'REPLICAS', NAME)) as string[][]; // one list per replica
      return seen?.includes('slave') === true && seen[seen.indexOf('master-link-status') + 1] === 'ok';
    });
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/${NAME}`;
    return { primary, replica, sentinel, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function untilTrue(fact: () => Promise<boolean>): Promise<void> {
  while (!(await fact())) await sleep(20);
}
