import { testRedisCluster } from '@gatehouse/dev-env/redis/redis-cluster';
import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { describe } from 'vitest';
import { storeContract } from '../../client/test/store-contract.ts';
import { openRedisStore } from '../../src/redis/redis-store.ts';

describe.skipIf(noRedisProgram())('the Redis store on a cluster of three', () => {
  storeContract(async () => {
    let now_us = 0;
    const server = await testRedisCluster();
    const store = await openRedisStore({
      url: server.url,
      log: silentLogger,
      now_us: () => now_us,
      timeout_ms: 5000,
    });
    return {
      store,
      setNow: (time_us) => {
        now_us = time_us;
      },
      close: async () => {
        store.close();
        await server.close();
      },
    };
  });
});
