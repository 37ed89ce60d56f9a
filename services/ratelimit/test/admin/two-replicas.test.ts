import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { connectRateLimits } from '@gatehouse/ratelimit-kit-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChargeTuple, charges, denialOf, type Served, startRatelimit, until } from '../support.ts';
import { type Admin, adminOf } from './admin-support.ts';
import { UNHURRIED } from './stores.ts';

const SLOW = 'premium:portal'; // 20 per hour
const HOUR = 3600;

describe.skipIf(noRedisProgram())('two replicas on one Redis', () => {
  let redis: RedisServer;
  let replicas: readonly [Served, Served];
  let admins: readonly [Admin, Admin];

  beforeEach(async () => {
    redis = await redisServer();
    const config = { ...UNHURRIED, redis_url: redis.url, replicas: 2 };
    replicas = await Promise.all([startRatelimit(config), startRatelimit(config)]);
    admins = [adminOf(replicas[0]), adminOf(replicas[1])];
  });
  afterEach(async () => {
    for (const admin of admins) admin.close();
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.close();
  });

  const limitAt = async ({ peer }: Served, bucket: ChargeTuple) =>
    (await peer.client.peek({ charges: charges([bucket]) }, { timeoutMs: 10_000 })).states[0]?.limit;
  const everywhere = (bucket: ChargeTuple, limit: number) =>
    until(async () =>
      (await Promise.all(replicas.map((replica) => limitAt(replica, bucket)))).every((is) => is === limit),
    );

  async function admitted(bucket: ChargeTuple, checks: number): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: checks }, (_, n) => denialOf(replicas[n % 2 === 0 ? 0 : 1].peer, [bucket])),
    );
    return answers.filter((denial) => denial === null).length;
  }

  test('admit exactly the limit of an override that one of them was given, and then that of the rule', async () => {
    const bucket: ChargeTuple = [SLOW, ['account:1']];
    expect(await admitted(bucket, 40)).toBe(20);
    await admins[0].set('account:1', { bucket: SLOW, limit: 70, window_seconds: HOUR });
    await everywhere(bucket, 70);
    expect(await admitted(bucket, 200)).toBe(50);
    await admins[1].remove('account:1', SLOW);
    await everywhere(bucket, 20);
    expect(await admitted(bucket, 40)).toBe(0);
  });

  test('lose no change of overrides, made at both at once', async () => {
    const accounts = Array.from({ length: 40 }, (_, n) => `account:${n}`);
    await Promise.all([
      ...accounts.map((account, n) => admins[n % 2 === 0 ? 0 : 1].set(account, { exempt: true })),
      ...accounts.map((_, n) =>
        admins[n % 2 === 0 ? 0 : 1].set('account:contested', { limit: n + 1, window_seconds: 1 }),
      ),
      ...accounts.map((_, n) => admins[n % 2 === 0 ? 1 : 0].remove('account:contested')),
    ]);
    const lists = await Promise.all(admins.map((admin) => admin.list(undefined, 1000)));
    expect(lists[0]).toEqual(lists[1]);
    const listed = lists[0]?.overrides.map(({ identity }) => identity) ?? [];
    expect(accounts.filter((account) => !listed.includes(account))).toEqual([]);
    const [first, second] = await Promise.all(admins.map((admin) => admin.remove('account:contested')));
    expect([first, second].filter((before) => before !== undefined)).toHaveLength(
      listed.includes('account:contested') ? 1 : 0,
    );
  });

  test('forget their denials, and those of edges, when an operator resets an identity or exempts it', async () => {
    const address = replicas.map(({ service }) => service.address).join(',');
    const edge = connectRateLimits(address, { timeout_ms: 5_000, log: silentLogger });
    const sets = [{ charges: charges([[SLOW, ['account:1'], 20]]) }];
    const asks = async () => (await edge.check(sets)) === undefined;
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
    await until(async () => !(await asks()) && edge.remembered() === 1);
    for (const { peer } of replicas) expect(await denialOf(peer, [[SLOW, ['account:1']]])).not.toBeNull();
    expect(await admins[0].reset('account:1')).toEqual([`${SLOW} account:1`]);
    await until(asks);

    await until(async () => !(await asks()) && edge.remembered() === 1);
    await admins[1].set('account:1', { exempt: true });
    await until(asks);
    for (const { peer } of replicas)
      await until(async () => (await denialOf(peer, [[SLOW, ['account:1']]])) === null);
    edge.close();
  });

  test('empty the buckets with other identities too, that the other replica denied', async () => {
    const bucket: ChargeTuple = ['invite:create', ['account:1', 'channel:1'], 20];
    expect(await denialOf(replicas[1].peer, [bucket])).toBeNull();
    expect(await denialOf(replicas[1].peer, [bucket])).not.toBeNull();
    const { buckets } = await admins[1].lookUp('channel:1');
    expect(buckets).toMatchObject([
      { state: { bucket: 'invite:create' }, identities: ['account:1', 'channel:1'] },
    ]);
    await admins[0].reset('channel:1');
    await until(async () => (await denialOf(replicas[0].peer, [bucket])) === null);
  });

  test('keep no identity, operator or reason that a reader of Redis can read', async () => {
    await admins[0].set('planted@example.com', { exempt: true, operator: 'planted', reason: 'planted' });
    await admins[0].reset('planted@example.com');
    for (const key of await redis.client.keys('*')) {
      const value = (await redis.client.getBuffer(key))?.toString('latin1');
      expect(`${key} ${value}`).not.toContain('planted');
      expect(await redis.client.pttl(key)).toBeGreaterThan(0);
    }
  });

  test('start with the overrides, and have none after a Redis that lost them', async () => {
    const bucket: ChargeTuple = [SLOW, ['account:1']];
    await admins[0].set('account:1', { limit: 7, window_seconds: HOUR });
    const third = await startRatelimit({ ...UNHURRIED, redis_url: redis.url });
    expect(await limitAt(third, bucket)).toBe(7);
    await third.close();
    await redis.client.flushall();
    await everywhere(bucket, 20);
    expect(await admins[1].list()).toEqual({ overrides: [], next: null });
  });

  test('lose no override to a replica with another secret: it changes none beside those that it cannot read', async () => {
    await admins[0].set('account:1', { exempt: true });
    const key_secret = 'another secret of thirty-two characters';
    const stranger = await startRatelimit({ ...UNHURRIED, redis_url: redis.url, key_secret });
    const admin = adminOf(stranger);
    const refusal = {
      reason: 'UNREADABLE_OVERRIDES',
      message: expect.stringMatching(/RATELIMIT_KEY_SECRET/),
    };
    await expect(admin.set('account:1', { limit: 1, window_seconds: 1 })).rejects.toMatchObject(refusal);
    await expect(admin.remove('account:1')).rejects.toMatchObject(refusal);
    expect((await admins[1].list()).overrides).toMatchObject([{ identity: 'account:1', exempt: true }]);
    const keys = await redis.client.keys('rl:{overrides}~o:*');
    await redis.client.del(keys);
    await admin.set('account:1', { exempt: true });
    admin.close();
    await stranger.close();
  });

  test('apply the overrides that they know while Redis is away, and change none', async () => {
    await admins[0].set('account:1', { limit: 3, window_seconds: HOUR });
    await everywhere([SLOW, ['account:1']], 3);
    await redis.kill();
    await expect(admins[0].set('account:2', { exempt: true })).rejects.toMatchObject({ status: 14 });
    const denials = await Promise.all(
      Array.from({ length: 10 }, () => denialOf(replicas[0].peer, [[SLOW, ['account:1']]])),
    );
    expect(denials.filter((denial) => denial === null)).toHaveLength(1); // a replica's share of 3
    await redis.start();
    await until(() =>
      admins[0].set('account:2', { exempt: true }).then(
        () => true,
        () => false,
      ),
    );
  });
});
