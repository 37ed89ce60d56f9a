import { type TestRedisSentinel, testRedisSentinel } from '@gatehouse/dev-env/redis/redis-sentinel';
import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { Fault, Status } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

/** Slow enough that nothing drains during a test. */
const rule: BucketRule = { name: 'failover', index: 0, ...rate(1000, 10_000) };
const CHARGE: Check = [[{ rule, key: 'account:failover', cost: 1 }]];
const permits: BucketRule = { name: 'leases', index: 1, ...rate(5, 10_000, 'concurrency') };
const LEASE: Check = [[{ rule: permits, key: 'account:failover', cost: 4, lease_id: 'held' }]];

describe.skipIf(noRedisProgram())('the Redis store behind a Sentinel', () => {
  let servers: TestRedisSentinel;
  let store: RedisStore;

  beforeEach(async () => {
    servers = await testRedisSentinel();
    store = await openRedisStore({ url: servers.url, log: silentLogger, timeout_ms: 2_000 });
  });
  afterEach(async () => {
    store?.close();
    await servers?.close();
  });

  async function replicated(): Promise<void> {
    const offset = async (server: TestRedisSentinel['primary'], name: string) =>
      new RegExp(`${name}:([0-9]+)`).exec(await server.client.info('replication'))?.[1];
    await expect
      .poll(() => offset(servers.replica, 'slave_repl_offset'))
      .toBe(await offset(servers.primary, 'master_repl_offset'));
  }

  /** Charges until a charge is answered. Returns the minimum and maximum of charges made. */
  async function chargeAgain(): Promise<{ least: number; most: number }> {
    let late = 0; // these may have been made
    const charges = () =>
      store.decide([CHARGE]).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Fault && error.status === Status.DEADLINE_EXCEEDED) late++;
          return false;
        },
      );
    await expect.poll(charges, { interval: 20 }).toBe(true);
    return { least: 1, most: 1 + late };
  }

  test.each(['SIGKILL', 'SIGSTOP'])(
    'finds the new primary after %s of the old, with the levels and leases it had',
    async (how) => {
      expect(await store.decide(Array(30).fill(CHARGE))).toEqual(Array(30).fill(undefined));
      expect(await store.decide([LEASE])).toEqual([undefined]);
      await replicated();
      if (how === 'SIGKILL') await servers.primary.kill();
      else servers.primary.signal('SIGSTOP');

      const { least, most } = await chargeAgain();
      expect(await servers.replica.client.info('replication')).toContain('role:master');
      // The Sentinel's message about the switch may come later, and makes the store connect once more.
      const buckets = [rule, permits].map((read) => ({ rule: read, key: 'account:failover' }));
      const read = () => store.read(buckets).catch(() => undefined);
      const [state, leases] = (await vi.waitUntil(read, { timeout: 30_000, interval: 20 })) ?? [];
      const tokens = Math.ceil((state?.level ?? 0) / rule.window_us);
      expect(tokens).toBeGreaterThanOrEqual(30 + least);
      expect(tokens).toBeLessThanOrEqual(30 + most);
      expect(leases?.level).toBe(4);
    },
  );

  test('leaves a primary that became a replica, without any restart', async () => {
    await store.decide([CHARGE]);
    await replicated();
    await servers.sentinel.client.call('SENTINEL', 'FAILOVER', 'buckets');
    await expect.poll(() => servers.replica.client.info('replication')).toContain('role:master');
    // The Sentinel does so too, ten seconds later.
    await servers.primary.client.replicaof('127.0.0.1', servers.replica.port);
    await chargeAgain();
  });
});
